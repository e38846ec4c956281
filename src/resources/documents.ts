import { compareText, parseJsonExact, printJsonExact, type ExactJson } from '../data/index.ts'
import type { RawDocuments } from './change.ts'
import type { Body, DocumentKind, ListOptions, StoredDocument } from './document-store.ts'

/** What a change left in one place: the document there, or nothing. */
export interface Placed {
  readonly backend: string
  readonly kind: DocumentKind
  readonly id: string
  readonly document: StoredDocument | undefined
}

interface Table {
  readonly byId: Map<string, StoredDocument>
  readonly byName: Map<string, StoredDocument>
  /** In ascending order of the ids; `undefined` after a change until someone asks. */
  inOrder: readonly StoredDocument[] | undefined
}

/** The same value, which nobody can change from now on. */
function frozen<T extends ExactJson>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

/** A copy that nobody else holds, as it would come back from a file, and that everybody may be given. */
function copyOf(document: StoredDocument): StoredDocument {
  return Object.freeze({ ...document, body: frozen(parseJsonExact(printJsonExact(document.body)) as Body) })
}

/** All documents in memory. Changes are remembered until `settle`, so that they can be written down or taken back. */
export class Documents {
  readonly #backends = new Map<string, Map<DocumentKind, Table>>()
  #placed: Placed[] = []
  /** What stood where a change was made, in the order of the changes. */
  #before: Placed[] = []

  view(backend: string): RawDocuments {
    return new BackendDocuments(this, backend)
  }

  /** The backends that have a document of this kind and id. */
  backendsWith(kind: DocumentKind, id: string): readonly string[] {
    return [...this.#backends].filter(([, tables]) => tables.get(kind)?.byId.has(id) === true).map(([name]) => name)
  }

  table(backend: string, kind: DocumentKind): Table {
    let tables = this.#backends.get(backend)
    if (tables === undefined) this.#backends.set(backend, (tables = new Map<DocumentKind, Table>()))
    let table = tables.get(kind)
    if (table === undefined) tables.set(kind, (table = { byId: new Map(), byName: new Map(), inOrder: undefined }))
    return table
  }

  place(placed: Placed): void {
    const { backend, kind, id } = placed
    this.#before.push({ backend, kind, id, document: this.table(backend, kind).byId.get(id) })
    this.#placed.push(placed)
    this.#put(placed)
  }

  /** How many changes are not settled. */
  get mark(): number {
    return this.#placed.length
  }

  /** The changes since a mark. */
  since(mark: number): readonly Placed[] {
    return this.#placed.slice(mark)
  }

  /** Takes back the changes since a mark, newest first. */
  backTo(mark: number): void {
    for (const before of this.#before.splice(mark).toReversed()) this.#put(before)
    this.#placed.length = mark
  }

  settle(): void {
    this.#placed = []
    this.#before = []
  }

  #put({ backend, kind, id, document }: Placed): void {
    const table = this.table(backend, kind)
    const { byId, byName } = table
    table.inOrder = undefined
    const old = byId.get(id)
    if (old?.name !== undefined) byName.delete(old.name)
    if (document === undefined) byId.delete(id)
    else byId.set(id, document)
    if (document?.name !== undefined) byName.set(document.name, document)
  }
}

/** The documents of one backend. */
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

  list(kind: DocumentKind, { after, limit }: ListOptions = {}): readonly StoredDocument[] {
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

  /** Nothing is ever taken out of the audit, and its numbers count from 1. */
  auditCount(): number {
    return this.#all.table(this.#backend, 'audit').byId.size
  }
}

/** The changes of one transaction as one record of the log. */
export function encodeChanges(changes: readonly Placed[]): Uint8Array {
  const plain = changes.map(({ document, ...place }): ExactJson => {
    if (document === undefined) return { ...place }
    const { name, createdAtNs, updatedAtNs, ...rest } = document
    return {
      ...place,
      document: {
        ...rest,
        ...(name === undefined ? {} : { name }),
        createdAtNs: String(createdAtNs),
        updatedAtNs: String(updatedAtNs),
      },
    }
  })
  return Buffer.from(printJsonExact(plain))
}

/** Throws for a record that is not one of ours; its checksum has matched. */
export function decodeChanges(body: Uint8Array): readonly Placed[] {
  const plain = parseJsonExact(Buffer.from(body).toString()) as unknown as readonly (Omit<Placed, 'document'> & {
    readonly document?: Omit<StoredDocument, 'createdAtNs' | 'updatedAtNs'> & {
      readonly createdAtNs: string
      readonly updatedAtNs: string
    }
  })[]
  return plain.map(({ document, ...place }) => ({
    ...place,
    document:
      document === undefined
        ? undefined
        : {
            ...document,
            name: document.name,
            body: frozen(document.body),
            createdAtNs: BigInt(document.createdAtNs),
            updatedAtNs: BigInt(document.updatedAtNs),
          },
  }))
}
