import { compareText, parseJsonExact, printJsonExact } from '../data/index.ts'
import { Change, type RawDocuments } from './change.ts'
import type {
  Actor,
  Body,
  DocumentKind,
  DocumentStore,
  DocumentTransaction,
  DocumentView,
  ListOptions,
  StoredDocument,
} from './document-store.ts'
import { checkSynchronous } from './synchronous.ts'
import { WriteQueue } from './write-queue.ts'

type Table = Map<string, StoredDocument>

/** A copy that nobody else holds, as it would come back from a file. */
function copyOf(document: StoredDocument): StoredDocument {
  return { ...document, body: parseJsonExact(printJsonExact(document.body)) as Body }
}

class BackendDocuments implements RawDocuments {
  readonly #tables = new Map<DocumentKind, Table>()
  /** Takes back the changes since the last mark, newest first. */
  readonly #undo: (() => void)[] = []
  #lastAuditId: string | undefined

  get(kind: DocumentKind, id: string): StoredDocument | undefined {
    const found = this.#tables.get(kind)?.get(id)
    return found === undefined ? undefined : copyOf(found)
  }

  findByName(kind: DocumentKind, name: string): StoredDocument | undefined {
    for (const document of this.#tables.get(kind)?.values() ?? []) {
      if (document.name === name) return copyOf(document)
    }
    return undefined
  }

  list(kind: DocumentKind, { after, limit }: ListOptions = {}): readonly StoredDocument[] {
    return [...(this.#tables.get(kind)?.values() ?? [])]
      .filter((document) => after === undefined || compareText(document.id, after) > 0)
      .sort((a, b) => compareText(a.id, b.id))
      .slice(0, limit)
      .map(copyOf)
  }

  insert(document: StoredDocument): void {
    const last = this.#lastAuditId
    if (document.kind === 'audit') this.#lastAuditId = document.id
    this.#set(document.kind, document.id, copyOf(document))
    this.#undo.push(() => {
      this.#lastAuditId = last
    })
  }

  replace(document: StoredDocument): void {
    this.#set(document.kind, document.id, copyOf(document))
  }

  delete(kind: DocumentKind, id: string): void {
    this.#set(kind, id, undefined)
  }

  lastAuditId(): string | undefined {
    return this.#lastAuditId
  }

  mark(): void {
    this.#undo.length = 0
  }

  rollback(): void {
    while (this.#undo.length > 0) this.#undo.pop()?.()
  }

  #set(kind: DocumentKind, id: string, document: StoredDocument | undefined): void {
    let table = this.#tables.get(kind)
    if (table === undefined) this.#tables.set(kind, (table = new Map()))
    const before = table.get(id)
    const put = (value: StoredDocument | undefined): void => {
      if (value === undefined) table.delete(id)
      else table.set(id, value)
    }
    put(document)
    this.#undo.push(() => put(before))
  }
}

class MemoryDocumentStore implements DocumentStore {
  readonly #backends = new Map<string, BackendDocuments>()
  readonly #nowNs: () => bigint
  readonly #queue = new WriteQueue((group) => {
    for (const { run, settle } of group) {
      try {
        run()
      } catch {
        // It rejects with what it threw.
      }
      settle()
    }
    this.#commits++
  })
  #commits = 0

  constructor(nowNs: () => bigint) {
    this.#nowNs = nowNs
  }

  read<T>(backend: string, work: (view: DocumentView) => T): T {
    return work(this.#documents(backend))
  }

  write<T>(actor: Actor, work: (tx: DocumentTransaction) => T): Promise<T> {
    return this.#queue.add(() => {
      const documents = this.#documents(actor.backend)
      documents.mark()
      try {
        return checkSynchronous(work(new Change(actor, this.#nowNs(), documents)))
      } catch (error) {
        documents.rollback()
        throw error
      }
    })
  }

  epoch(): string {
    return String(this.#commits)
  }

  async close(): Promise<void> {
    this.#queue.close()
  }

  #documents(backend: string): BackendDocuments {
    let documents = this.#backends.get(backend)
    if (documents === undefined) this.#backends.set(backend, (documents = new BackendDocuments()))
    return documents
  }
}

/** A store that forgets everything with the process. */
export function createMemoryDocumentStore(nowNs: () => bigint): DocumentStore {
  return new MemoryDocumentStore(nowNs)
}
