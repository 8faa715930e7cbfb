// SPDX-License-Identifier: Apache-2.0

/// The version of orientationd, as `--version` prints it.
package let orientationdVersion = "1.0"
