// SPDX-License-Identifier: Apache-2.0

/// How a service has ended.
public struct ServiceEnd {
  /// What threads there are besides the main one.
  public enum Threads {
    /// None.
    case ended
    /// At least one, which hangs in a sensor's driver or on the disk, and may hold what exit(3) would wait for.
    case hanging
  }

  /// Why the service could not go on; nil if it was stopped.
  public let failure: ServiceError?
  /// What threads are left.
  public let threads: Threads
}
