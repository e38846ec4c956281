import type { PlainJson } from '../data/index.ts'
import type { DocumentBody, DocumentView } from './document-store.ts'

/** The record of one change: author, document, old and new revision. */
export interface AuditRecord {
  /** Counts from 1 within a backend, without gaps. */
  readonly number: number
  readonly atNs: bigint
  readonly by: string
  readonly email: string | undefined
  readonly action: string
  readonly kind: string
  readonly id: string
  readonly name: string | undefined
  readonly from: number | undefined
  readonly to: number | undefined
  /** Names of the top-level members that the update changed. */
  readonly members: readonly string[]
}

function text(body: DocumentBody, member: string): string | undefined {
  return typeof body[member] === 'string' ? body[member] : undefined
}

function count(value: PlainJson | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Returns the changes after a number, oldest first. */
export function auditRecords(view: DocumentView, after = 0): readonly AuditRecord[] {
  const records = view.list('audit', { after: String(after).padStart(15, '0') })
  return records.map(({ id, body, createdAtNs, createdBy }) => ({
    number: Number(id),
    atNs: createdAtNs,
    by: createdBy,
    email: text(body, 'email'),
    action: text(body, 'action') ?? '',
    kind: text(body, 'kind') ?? '',
    id: text(body, 'id') ?? '',
    name: text(body, 'name'),
    from: count(body['from']),
    to: count(body['to']),
    members: Array.isArray(body['members']) ? (body['members'] as readonly string[]) : [],
  }))
}
