import { CHUNK_BYTES, SluiceError, TURN_MS, errorCode } from '../base/index.ts'
import type { DiskReserve, LogRecord, RecordLog } from '../store/durable/index.ts'
import { Change } from './change.ts'
import { writeSnapshot } from './compact.ts'
import type { Actor, DocumentKind, DocumentStore, DocumentTransaction, DocumentView } from './document-store.ts'
import { Documents } from './documents.ts'
import { decodeRecord, encodeChanges, type DocumentState } from './log-records.ts'
import type { Quota } from './quota.ts'
import { userId } from './policies/user-policies.ts'
import { refusal, type ResourceError } from './resource-error.ts'
import { checkSynchronous } from './synchronous.ts'
import { WriteQueue, type WaitingWrite } from './write-queue.ts'

function writeFailure(error: unknown): ResourceError {
  const code = errorCode(error) ?? ''
  if (code === 'ENOSPC' || code === 'EDQUOT') return refusal('no-space', 'disk-full', {})
  if (code === 'durable/disk-reserve') return refusal('no-space', 'disk-reserve', {})
  const reason = error instanceof SluiceError ? (error.diagnostics[0]?.notes[0] ?? error.code) : code
  return refusal('unavailable', 'write-failed', { reason })
}

function restore(documents: Documents, records: Iterable<LogRecord>): void {
  for (const { body } of records) {
    const record = decodeRecord(body)
    if ('packed' in record) documents.audit(record.backend).pack([record])
    else for (const change of record) documents.place(change)
    documents.settle()
  }
}

/**
 * Returns whether a change must leave the disk reserve free. False for removals and deletion records, because they free
 * space, and for the state of alerts, because alerts must work while the disk is full.
 */
function takesSpace({ kind, document }: DocumentState): boolean {
  return document !== undefined && kind !== 'audit' && kind !== 'deletion' && kind !== 'alerting'
}

/** A log is compacted when its size exceeds this multiple of its size after the last compaction by `compactBytes`. */
const COMPACT_GROWTH = 2

export interface DocumentStoreOptions {
  readonly nowNs: () => bigint
  /** Growth of the log, beyond the multiple `COMPACT_GROWTH`, that triggers compaction, bytes. Default: 1 MiB. */
  readonly compactBytes?: number
  /** Checks that a write leaves the reserved disk space free. */
  readonly reserve?: Pick<DiskReserve, 'check'>
  /** Limit for the documents of a kind. Default: 50,000 and 32 MiB. */
  readonly quota?: Quota
  /** Called with the error of a failed compaction; the old log stays in use. */
  readonly onFailure?: (error: unknown) => void
}

/**
 * Keeps all documents in memory. If it has a log, each transaction is one log record, and transactions that arrive in
 * one turn of the event loop are committed together.
 */
class LoggedDocumentStore implements DocumentStore {
  readonly #documents: Documents
  readonly #reserve: DocumentStoreOptions['reserve']
  readonly #nowNs: () => bigint
  readonly #log: RecordLog | undefined
  readonly #queue = new WriteQueue((group) => this.#commit(group))
  readonly #compactBytes: number
  readonly #onFailure: (error: unknown) => void
  #commits = 0
  #compacting: Promise<void> | undefined
  /** Records committed since the running compaction began, which the new log lacks; `undefined` if none is running. */
  #meanwhile: Uint8Array[] | undefined
  /** Size of the log when a compaction last failed, bytes; 0 if none did. */
  #failedBytes = 0

  constructor(
    { nowNs, compactBytes = CHUNK_BYTES, onFailure, reserve, quota }: DocumentStoreOptions,
    log: RecordLog | undefined,
  ) {
    this.#documents = new Documents(quota)
    this.#reserve = reserve
    this.#nowNs = nowNs
    this.#log = log
    this.#compactBytes = compactBytes
    this.#onFailure = onFailure ?? (() => {})
    restore(this.#documents, log?.read() ?? [])
    this.#compactWhenDue()
  }

  read<T>(backend: string, work: (view: DocumentView) => T): T {
    return work(this.#documents.view(backend))
  }

  backendsWith(kind: DocumentKind, id: string): readonly string[] {
    return this.#documents.backendsWith(kind, id)
  }

  write<T>(actor: Actor, work: (tx: DocumentTransaction) => T): Promise<T> {
    return this.#queue.add(() =>
      checkSynchronous(work(new Change(actor, this.#nowNs(), this.#documents.view(actor.backend)))),
    )
  }

  epoch(): string {
    return String(this.#commits)
  }

  async close(): Promise<void> {
    if (this.#queue.isClosed) return
    await Promise.all([this.#queue.close(), this.#compacting])
    this.#log?.close()
  }

  /** Starts a compaction if the log has grown enough. Must be called only while no commit is in flight. */
  #compactWhenDue(): void {
    const log = this.#log
    if (log === undefined || this.#compacting !== undefined || this.#queue.isClosed) return
    const heldBytes = Math.max(log.base.endBytes, this.#failedBytes)
    if (log.end.endBytes < COMPACT_GROWTH * heldBytes + this.#compactBytes) return
    this.#compacting = this.#compact(log)
      .catch((error: unknown) => {
        this.#failedBytes = log.end.endBytes
        if (!this.#queue.isClosed) this.#onFailure(error)
      })
      .finally(() => (this.#compacting = undefined))
  }

  /**
   * Compacts: replaces the log with a new one that has only the current documents. Commits continue except during the
   * last step.
   */
  async #compact(log: RecordLog): Promise<void> {
    this.#documents.rotateAudits()
    const snapshot = this.#documents.snapshot()
    const meanwhile: Uint8Array[] = []
    this.#meanwhile = meanwhile
    const next = log.beginNew()
    try {
      const packs = await writeSnapshot(snapshot, next, () => this.#queue.isClosed)
      await this.#queue.between(async () => {
        for (const record of meanwhile) next.add([record])
        await log.replaceBy(next)
        for (const [backend, { length }] of snapshot.audits)
          this.#documents.audit(backend).pack(
            packs.filter((pack) => pack.backend === backend),
            length,
          )
      })
    } catch (error) {
      log.dropNew(next)
      throw error
    } finally {
      this.#meanwhile = undefined
    }
  }

  /** Commits a group of transactions, as many as run within `TURN_MS`. Returns the remaining ones. */
  async #commit(group: readonly WaitingWrite[]): Promise<readonly WaitingWrite[]> {
    const documents = this.#documents
    const records: Uint8Array[] = []
    const committed: WaitingWrite[] = []
    const startedMs = performance.now()
    for (const waiting of group) {
      if (committed.length > 0 && performance.now() - startedMs > TURN_MS) break
      committed.push(waiting)
      const { mark } = documents
      try {
        waiting.run()
        const changes = documents.since(mark)
        if (changes.length > 0) records.push(encodeChanges(changes))
      } catch {
        // Undoes only the changes of the failed transaction. The queue rejects it with the error.
        documents.backTo(mark)
      }
    }
    const changes = documents.since(0)
    // The changes are undone until they are on disk, so that no reader sees them earlier.
    documents.backTo(0)
    try {
      const bytes = records.reduce((sum, record) => sum + record.byteLength, 0)
      if (changes.some(takesSpace)) this.#reserve?.check(bytes)
      if (records.length > 0) await this.#log?.commitLater(records.map((record) => [record]))
      this.#meanwhile?.push(...records)
      for (const change of changes) documents.place(change)
      documents.settle()
      this.#commits++
      for (const { settle } of committed) settle()
    } catch (error) {
      // Retries each transaction alone, so that a transaction too large for the disk does not fail the others.
      if (committed.length > 1) for (const waiting of committed) await this.#commit([waiting])
      else committed[0]?.reject(writeFailure(error))
    }
    this.#compactWhenDue()
    return group.slice(committed.length)
  }
}

/** Returns a store without a log, whose documents live as long as the process. */
export function createMemoryDocumentStore(nowNs: () => bigint, quota?: Quota): DocumentStore {
  return new LoggedDocumentStore({ nowNs, ...(quota === undefined ? {} : { quota }) }, undefined)
}

/** Returns the documents of one backend after replaying these log records. */
export function documentsOf(records: Iterable<LogRecord>, backend: string): DocumentView {
  return allDocumentsOf(records).view(backend)
}

function allDocumentsOf(records: Iterable<LogRecord>): Documents {
  const documents = new Documents()
  restore(documents, records)
  return documents
}

/** Returns a function that returns the backends on which a user has or had policies, according to these log records. */
export function policyBackendsOf(records: Iterable<LogRecord>): (email: string) => readonly string[] {
  const documents = allDocumentsOf(records)
  return (email) => documents.backendsWith('user-policies', userId(email))
}

/** Replays a log and returns the store. Throws SluiceError `durable/damaged`. */
export function openDocumentStore(log: RecordLog, options: DocumentStoreOptions): DocumentStore {
  return new LoggedDocumentStore(options, log)
}
