import { invariant } from '../base/index.ts'
import { printJsonExact } from '../data/index.ts'
import type {
  Actor,
  DocumentBody,
  DocumentKind,
  DocumentTransaction,
  DocumentView,
  ListOptions,
  ResourceKind,
  StoredDocument,
} from './document-store.ts'
import { bodyBytes, checkQuota, type KindUsage, type Quota } from './quota.ts'

/** Store operations that a transaction needs. */
export interface RawDocuments extends DocumentView {
  /** Replaces the document of the same kind and id. */
  put(document: StoredDocument): void
  delete(kind: DocumentKind, id: string): void
  readonly quota: Quota
  usage(kind: DocumentKind): KindUsage
  /** Returns the number of the last audit record; 0 if there is none. */
  lastAudit(): number
}

const AUDIT_DIGITS = 15

/** Returns the names of top-level members that differ, without the store's own members, which begin with `$`. */
function changedMembers(before: DocumentBody | undefined, after: DocumentBody): readonly string[] {
  if (before === undefined) return []
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const text = (body: DocumentBody, name: string): string | undefined =>
    Object.hasOwn(body, name) ? printJsonExact(body[name] ?? null) : undefined
  const own = [...names].filter((name) => !name.startsWith('$'))
  return own.filter((name) => text(before, name) !== text(after, name)).sort()
}

/**
 * Share of the quota that deletion records may take after a cleanup. Cleanup starts when they exceed the quota, and
 * drops the oldest finished ones.
 */
const KEPT_SHARE = 15 / 16

/** A transaction over raw documents: increments revisions and writes an audit record for every change. */
export class Change implements DocumentTransaction {
  readonly actor: Actor
  readonly nowNs: bigint
  readonly #raw: RawDocuments

  constructor(actor: Actor, nowNs: bigint, raw: RawDocuments) {
    this.actor = actor
    this.nowNs = nowNs
    this.#raw = raw
  }

  get(kind: DocumentKind, id: string): StoredDocument | undefined {
    return this.#raw.get(kind, id)
  }

  findByName(kind: DocumentKind, name: string): StoredDocument | undefined {
    return this.#raw.findByName(kind, name)
  }

  list(kind: DocumentKind, options?: ListOptions): readonly StoredDocument[] {
    return this.#raw.list(kind, options)
  }

  put(kind: ResourceKind, id: string, body: DocumentBody, name?: string): StoredDocument {
    const { actor, nowNs } = this
    const before = this.#raw.get(kind, id)
    const holder = name === undefined ? undefined : this.#raw.findByName(kind, name)
    invariant(holder === undefined || holder.id === id, 'names are checked before they are written')
    const document: StoredDocument = {
      kind,
      id,
      name,
      revision: (before?.revision ?? 0) + 1,
      body,
      createdBy: before?.createdBy ?? actor.by,
      createdAtNs: before?.createdAtNs ?? nowNs,
      updatedBy: actor.by,
      updatedAtNs: nowNs,
    }
    checkQuota(this.#raw.quota, this.#raw.usage(kind), {
      kind,
      key: document.createdBy,
      documents: before === undefined ? 1 : 0,
      bytes: bodyBytes(body) - (before === undefined ? 0 : bodyBytes(before.body)),
    })
    if (kind === 'deletion' && before === undefined) this.#dropOldDeletions()
    this.#raw.put(document)
    const action = before === undefined ? 'create' : 'update'
    this.#audit(document, action, before?.revision, document.revision, changedMembers(before?.body, body))
    return document
  }

  /**
   * Drops the oldest finished deletion records if all of them exceed the quota. The audit still lists the dropped ones.
   */
  #dropOldDeletions(): void {
    const { quota } = this.#raw
    const used = this.#raw.usage('deletion').all
    if (used.documents < quota.documents && used.bytes < quota.bytes) return
    const ended = this.#raw.list('deletion').filter(({ body }) => body['rows'] !== undefined)
    const oldest = [...ended].sort((a, b) => Number(a.createdAtNs - b.createdAtNs))
    for (const { id } of oldest) {
      if (used.documents < KEPT_SHARE * quota.documents && used.bytes < KEPT_SHARE * quota.bytes) return
      this.#raw.delete('deletion', id)
    }
  }

  remove(kind: ResourceKind, id: string): boolean {
    const before = this.#raw.get(kind, id)
    if (before === undefined) return false
    this.#raw.delete(kind, id)
    this.#audit(before, 'delete', before.revision, undefined, [])
    return true
  }

  putState(id: string, body: DocumentBody | undefined): void {
    const kind = 'alerting'
    if (body === undefined) return this.#raw.delete(kind, id)
    const { actor, nowNs } = this
    const revision = (this.#raw.get(kind, id)?.revision ?? 0) + 1
    const stamps = { createdBy: actor.by, createdAtNs: nowNs, updatedBy: actor.by, updatedAtNs: nowNs }
    this.#raw.put({ kind, id, name: undefined, revision, body, ...stamps })
  }

  #audit(
    document: StoredDocument,
    action: 'create' | 'update' | 'delete',
    from: number | undefined,
    to: number | undefined,
    members: readonly string[],
  ): void {
    const { actor, nowNs } = this
    const number = this.#raw.lastAudit() + 1
    this.#raw.put({
      kind: 'audit',
      id: String(number).padStart(AUDIT_DIGITS, '0'),
      name: undefined,
      revision: 1,
      body: {
        action,
        kind: document.kind,
        id: document.id,
        ...(document.name === undefined ? {} : { name: document.name }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
        ...(members.length === 0 ? {} : { members }),
        ...(actor.email === undefined ? {} : { email: actor.email }),
      },
      createdBy: actor.by,
      createdAtNs: nowNs,
      updatedBy: actor.by,
      updatedAtNs: nowNs,
    })
  }
}
