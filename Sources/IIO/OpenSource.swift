// SPDX-License-Identifier: Apache-2.0

/// An opened source of any kind.
///
/// The kind is looked at once, outside the loop that takes samples, which is generic over the source. A caller whose
/// loop is to be specialised for each kind switches over the cases itself; ``run(_:)`` is shorter and costs a sample
/// one indirect call (26 instructions, measured with callgrind).
public enum OpenSource: ~Copyable {
  /// A sensor's buffer.
  case buffered(BufferedSource)
  /// A sensor's attributes, polled.
  case polled(PolledSource)
  /// A sensor of another machine.
  case network(NetworkSource)
  /// A recording.
  case replay(ReplaySource)
  /// The simulated tablet.
  case simulated(SimulatedSource)

  /// How the samples come, as a word for status displays.
  public var kind: String {
    switch self {
    case .buffered: "buffered"
    case .polled: "polled"
    case .network: "network"
    case .replay: "replay"
    case .simulated: "simulated"
    }
  }

  /// Lets `consumer` use the source, and closes it afterwards.
  ///
  /// - Throws: what the consumer throws.
  public consuming func run<Consumer: SourceConsumer & ~Copyable>(
    _ consumer: inout Consumer
  ) throws(SourceError) {
    switch consume self {
    case .buffered(var source): try consumer.run(&source)
    case .polled(var source): try consumer.run(&source)
    case .network(var source): try consumer.run(&source)
    case .replay(var source): try consumer.run(&source)
    case .simulated(var source): try consumer.run(&source)
    }
  }
}

/// What uses an ``OpenSource``: the sampler.
public protocol SourceConsumer: ~Copyable {
  /// Takes samples until there is a reason to stop.
  ///
  /// - Throws: what the source throws and the consumer does not handle.
  mutating func run<Source: SampleSource & ~Copyable>(_ source: inout Source) throws(SourceError)
}
