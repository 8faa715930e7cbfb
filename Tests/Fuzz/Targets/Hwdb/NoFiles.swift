// SPDX-License-Identifier: Apache-2.0

/// Stands in for orientationctl's, so that the links beside need no further ones: no file of sysfs is read here.
func readFile(_ path: String) throws -> String? { nil }
