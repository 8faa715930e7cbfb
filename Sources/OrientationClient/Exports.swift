// SPDX-License-Identifier: Apache-2.0

// Its orientations are in nearly every declaration here: an app imports one module.
@_exported public import Orientation
