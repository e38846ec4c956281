import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { SluiceError, runCooperatively, type StepwiseTask } from '../../base/index.ts'
import { FileReaders, readWords } from '../../store/persistence/index.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import type { QueryWorkerDelta } from './messages.ts'
import {
  VERSION_WORD,
  type ReplicationConnection,
  type ReplicationMessage,
  type ReplicationSource,
  type ReaderMessage,
} from './replication.ts'
import { TenantsPublisher } from './publisher.ts'

/**
 * Replicates changes of this thread's backends to workers that request them. Idle workers are thus not disturbed, and
 * several batches between two queries become one message.
 */
export class ReplicationServer implements ReplicationSource {
  readonly words: Int32Array
  /** Threads that read files, including this one. */
  readonly readers: FileReaders
  readonly #targets: ReadonlyMap<string, IngestTarget>
  #seen = 0

  constructor(
    targets: ReadonlyMap<string, IngestTarget>,
    words: Int32Array = new Int32Array(new SharedArrayBuffer(4)),
  ) {
    this.#targets = targets
    this.words = words
    this.readers = new FileReaders(words)
  }

  /** Must be called after a change. Every query that starts later will see the change. */
  changed(): void {
    Atomics.add(this.words, VERSION_WORD, 1)
  }

  /** Detects changes made by the owner of the stores, and publishes them. */
  publishChanges(): void {
    let seen = 0
    for (const { store, samples, metricCatalog } of this.#targets.values()) {
      for (const table of store.tables.values()) seen += table.version
      seen += samples.version + metricCatalog.all.length
    }
    if (seen === this.#seen) return
    this.#seen = seen
    this.changed()
  }

  connect(): ReplicationConnection {
    const { port1, port2 } = new MessageChannel()
    const reads = readWords()
    this.serve(port1, reads)
    return { port: port2, words: this.words, reads }
  }

  /** Serves a worker until its thread ends; `reads` is shared memory with its reads in flight. */
  serve(port: MessagePort, reads: Int32Array): void {
    const publisher = new TenantsPublisher(this.#targets)
    const tell = (message: ReplicationMessage<QueryWorkerDelta>): void => port.postMessage(message, [])
    const leave = this.readers.add({ words: reads, removed: (removed) => tell({ removed }) })
    port.on('close', leave)
    port.on('message', (readerMessage?: ReaderMessage) => {
      if (readerMessage !== undefined) return this.#damaged(readerMessage)
      const version = Atomics.load(this.words, VERSION_WORD)
      void runCooperatively(news(publisher, tell)).then(() => tell({ version }))
      return undefined
    })
    // The port does not keep the process alive.
    port.unref()
  }

  #damaged({ damagedGroup, reasons }: ReaderMessage): void {
    const error = new SluiceError(reasons)
    for (const { store } of this.#targets.values())
      for (const table of store.memoryTables.values()) table.segments.onDamagedFile?.(damagedGroup, error)
  }
}

function* news(
  publisher: TenantsPublisher,
  tell: (message: ReplicationMessage<QueryWorkerDelta>) => void,
): StepwiseTask<void> {
  for (const news of publisher.news()) {
    tell({ news })
    yield
  }
}
