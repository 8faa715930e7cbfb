// SPDX-License-Identifier: Apache-2.0

// orientationd tells the desktop which way up the tablet is held. The path of a sample, in the order of the code:
//
//   Service              connects the bus, the sampler thread and the device's object, and runs the main thread's loop
//   SamplerThread        finds and opens the sensor while there are subscribers
//   SampleLoop           the hot loop: takes each sample, returns a change
//   OrientationPipeline  mount matrix, low-pass filter, classifier
//   DeviceService        announces the change on the bus

import CLinux
import OrientationService
import SensorSetup
import Systemd

/// The exit code of a command line that is wrong, by the LSB (systemd.exec(5)).
let wrongUsage: CInt = 2

/// Blocks SIGHUP, which would end the process, until the service runs and listens for it.
///
/// To be called first of all, in the one thread that there is.
func holdReloads() {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGHUP)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// Runs the command line of this process; returns the exit code.
func run() -> CInt {
  reserveStandardDescriptors()
  holdReloads()
  let log = ServiceLog()
  guard let words = commandLineWords() else {
    log.fatal("/proc is not mounted; it holds the command line")
    return EXIT_FAILURE
  }
  do throws(UsageError) {
    switch try Options.parse(words) {
    case .help: print(Options.help)
    case .panels(let card):
      guard let panels = CardPanels.text(ofCard: card) else { return EXIT_FAILURE }
      print("ORIENTATIOND_PANELS=\(panels)")
    case .version: print("orientationd \(orientationdVersion)")
    case .serve(let options): return serve(options, log)
    }
    return EXIT_SUCCESS
  } catch {
    log.fatal("\(error.reason); see orientationd --help")
    return wrongUsage
  }
}

/// Serves until a signal ends it.
func serve(_ options: Options, _ log: ServiceLog) -> CInt {
  log.isVerbose = options.isVerbose
  do throws(ServiceError) {
    let configuration = try Configuration.load(for: options, log: log)
    let end = try Service(options: options, configuration: configuration, log: log).run()
    if let failure = end.failure { log.fatal(failure.description) }
    let code = end.failure == nil ? EXIT_SUCCESS : EXIT_FAILURE
    // exit(3) flushes every FILE. If a thread hangs in such a flush (libiio writes attributes in this way), exit(3) would hang
    // too. The daemon has nothing left to flush: messages are written at once.
    if end.isThreadHanging { _exit(code) }
    return code
  } catch {
    log.fatal(error.description)
    // The sampler thread may run already.
    _exit(EXIT_FAILURE)
  }
}

exit(run())
