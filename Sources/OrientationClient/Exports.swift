// SPDX-License-Identifier: Apache-2.0

// Its orientations are in nearly every declaration here: an app imports one module. A scoped export of each type would hide the
// operators of QuarterTurn.
@_exported public import Orientation
