import { compareText, parseJsonPlain, printJsonExact } from '../data/index.ts'
import { AuditTrail } from './audit-trail.ts'
import type { RawDocuments } from './change.ts'
import { frozen, type AuditPack, type DocumentState } from './log-records.ts'
import type { DocumentBody, DocumentKind, ListOptions, StoredDocument } from './document-store.ts'
import { KindUsage, bodyBytes, defaultQuota, type Quota } from './quota.ts'

interface Table {
  readonly byId: Map<string, StoredDocument>
  readonly byName: Map<string, StoredDocument>
  readonly usage: KindUsage
  /** Documents sorted by id; `undefined` after a change until the next read sorts them. */
  inOrder: readonly StoredDocument[] | undefined
}

/** Returns a frozen copy, equal to what a restart would read from the log. */
function copyOf(document: StoredDocument): StoredDocument {
  return Object.freeze({ ...document, body: frozen(parseJsonPlain(printJsonExact(document.body)) as DocumentBody) })
}

/** Content of a log at one moment. */
export interface DocumentsSnapshot {
  readonly documents: readonly DocumentState[]
  readonly packs: readonly AuditPack[]
  /** Audit records that are in no pack yet, by backend. */
  readonly audits: ReadonlyMap<string, readonly StoredDocument[]>
}

/** All documents in memory. Changes are recorded until `settle`, so that they can be written or undone. */
export class Documents {
  readonly #backends = new Map<string, Map<DocumentKind, Table>>()
  readonly #audits = new Map<string, AuditTrail>()
  readonly #bytes = new WeakMap<StoredDocument, number>()
  readonly quota: Quota
  #state: DocumentState[] = []
  /** Previous state of each changed document, in order of the changes. */
  #before: DocumentState[] = []

  constructor(quota: Quota = defaultQuota) {
    this.quota = quota
  }

  view(backend: string): RawDocuments {
    return new BackendDocuments(this, backend)
  }

  /** Drops the oldest records of each backend's audit until the audit fits the quota of one kind. */
  rotateAudits(): void {
    for (const trail of this.#audits.values()) trail.rotate(this.quota.bytes)
  }

  /** Returns the backends that have a document of this kind and id. */
  backendsWith(kind: DocumentKind, id: string): readonly string[] {
    return [...this.#backends].filter(([, tables]) => tables.get(kind)?.byId.has(id) === true).map(([name]) => name)
  }

  table(backend: string, kind: DocumentKind): Table {
    let tables = this.#backends.get(backend)
    if (tables === undefined) this.#backends.set(backend, (tables = new Map<DocumentKind, Table>()))
    let table = tables.get(kind)
    if (table === undefined)
      tables.set(kind, (table = { byId: new Map(), byName: new Map(), usage: new KindUsage(), inOrder: undefined }))
    return table
  }

  audit(backend: string): AuditTrail {
    let trail = this.#audits.get(backend)
    if (trail === undefined) this.#audits.set(backend, (trail = new AuditTrail()))
    return trail
  }

  /** Returns a snapshot of the documents. Must be called only after `settle`. */
  snapshot(): DocumentsSnapshot {
    const documents: DocumentState[] = []
    for (const [backend, tables] of this.#backends)
      for (const [kind, { byId }] of tables)
        for (const [id, document] of byId) documents.push({ backend, kind, id, document })
    return {
      documents,
      packs: [...this.#audits.values()].flatMap(({ packs }) => packs),
      audits: new Map([...this.#audits].map(([backend, { recent }]) => [backend, [...recent]])),
    }
  }

  place(state: DocumentState): void {
    const { backend, kind, id } = state
    const document = kind === 'audit' ? undefined : this.table(backend, kind).byId.get(id)
    this.#before.push({ backend, kind, id, document })
    this.#state.push(state)
    this.#put(state)
  }

  /** Returns the number of unsettled changes. */
  get mark(): number {
    return this.#state.length
  }

  /** Returns the changes since a mark. */
  since(mark: number): readonly DocumentState[] {
    return this.#state.slice(mark)
  }

  /** Undoes all changes after a mark, newest first. */
  backTo(mark: number): void {
    for (const before of this.#before.splice(mark).toReversed()) this.#put(before)
    this.#state.length = mark
  }

  settle(): void {
    this.#state = []
    this.#before = []
  }

  /** Returns the size of a document's body as JSON, bytes; cached for each document. */
  #bytesOf(document: StoredDocument): number {
    let bytes = this.#bytes.get(document)
    if (bytes === undefined) this.#bytes.set(document, (bytes = bodyBytes(document.body)))
    return bytes
  }

  #put({ backend, kind, id, document }: DocumentState): void {
    if (kind === 'audit') {
      const trail = this.audit(backend)
      if (document === undefined) trail.takeBack()
      else trail.put(document)
      return
    }
    const table = this.table(backend, kind)
    const { byId, byName, usage } = table
    table.inOrder = undefined
    const old = byId.get(id)
    if (old?.name !== undefined) byName.delete(old.name)
    if (document === undefined) byId.delete(id)
    else byId.set(id, document)
    if (old !== undefined) usage.add(old.createdBy, -1, -this.#bytesOf(old))
    if (document !== undefined) usage.add(document.createdBy, 1, this.#bytesOf(document))
    if (document?.name !== undefined) byName.set(document.name, document)
  }
}

/** Documents of one backend. */
class BackendDocuments implements RawDocuments {
  readonly #all: Documents
  readonly #backend: string

  constructor(all: Documents, backend: string) {
    this.#all = all
    this.#backend = backend
  }

  get(kind: DocumentKind, id: string): StoredDocument | undefined {
    return this.#all.table(this.#backend, kind).byId.get(id)
  }

  findByName(kind: DocumentKind, name: string): StoredDocument | undefined {
    return this.#all.table(this.#backend, kind).byName.get(name)
  }

  list(kind: DocumentKind, options: ListOptions = {}): readonly StoredDocument[] {
    if (kind === 'audit') return this.#all.audit(this.#backend).list(options)
    const { after, limit } = options
    const table = this.#all.table(this.#backend, kind)
    table.inOrder ??= [...table.byId.values()].sort((a, b) => compareText(a.id, b.id))
    const found =
      after === undefined ? table.inOrder : table.inOrder.filter((document) => compareText(document.id, after) > 0)
    return limit === undefined ? found : found.slice(0, limit)
  }

  put(document: StoredDocument): void {
    const { kind, id } = document
    this.#all.place({ backend: this.#backend, kind, id, document: copyOf(document) })
  }

  delete(kind: DocumentKind, id: string): void {
    this.#all.place({ backend: this.#backend, kind, id, document: undefined })
  }

  get quota(): Quota {
    return this.#all.quota
  }

  usage(kind: DocumentKind): KindUsage {
    return this.#all.table(this.#backend, kind).usage
  }

  lastAudit(): number {
    return this.#all.audit(this.#backend).lastNumber
  }
}
