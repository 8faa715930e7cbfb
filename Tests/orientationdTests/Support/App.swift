// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Threads of an app: those of the pool wait in tests.
final class AppThreads: TaskExecutor {
  static let shared = AppThreads()
  private let queue = DispatchQueue(label: "app", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A loop of an app, and what it has seen so far.
final class AppLoop<Value: Sendable>: Sendable {
  private let seen = Mutex<[Value]>([])
  private let task = Mutex<Task<Void, Never>?>(nil)

  var values: [Value] { seen.withLock { $0 } }

  init<Updates: AsyncSequence & Sendable>(over updates: Updates)
  where Updates.Element == Value, Updates.Failure == Never {
    task.withLock { task in
      task = Task(executorPreference: AppThreads.shared) { [self] in
        for await value in updates { seen.withLock { $0.append(value) } }
      }
    }
  }

  func cancel() { task.withLock { $0?.cancel() } }
}

/// A task of an app, and its result when it has ended.
final class AppTask<Value: Sendable>: Sendable {
  private let seen = Mutex<[Value]>([])

  var values: [Value] { seen.withLock { $0 } }

  init(_ body: @escaping @Sendable () async -> Value) {
    Task(executorPreference: AppThreads.shared) { [self] in
      let value = await body()
      seen.withLock { $0.append(value) }
    }
  }
}
