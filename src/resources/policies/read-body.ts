import { SluiceError, at } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import { checkScopeShape, policyDiagnostic, scopeSizeFaults } from '../../policy/scope/index.ts'
import {
  decode,
  hasContent,
  memberTwice,
  parseJson,
  policyCreate,
  policyUpdate,
  scopeKinds,
  type DataScope,
  type PolicyCreate,
  type PolicyUpdate,
} from '../../wire/index.ts'
import type { DocumentBody } from '../document-store.ts'

/** A validated policy, with members as stored. */
export interface PolicyBody {
  readonly name: string
  readonly currentRevision: number | undefined
  readonly scope: DataScope | undefined
  /** The members of the body, as stored. A scope `{}` restricts nothing. */
  readonly members: DocumentBody
}

/** Returns the value of a member, ignoring the case of its name. */
function sentMember(sent: unknown, name: string): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  return Object.entries(sent).find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1]
}

function scopeSays(scope: DataScope): boolean {
  return hasContent(scope.simple) || scopeKinds.some((kind) => hasContent(scope.advanced?.[kind]))
}

function membersOf(policy: PolicyCreate, sent: unknown): DocumentBody {
  const { description, claimRole, role, dataScope } = policy
  const wasGiven = (name: string): boolean => (sentMember(sent, name) ?? null) !== null
  const roles = [...(role ?? new Map<string, string | null>())].map(([word, value]) => [word, value ?? ''] as const)
  const members: readonly (readonly [string, PlainJson, boolean])[] = [
    ['description', description ?? '', wasGiven('description')],
    ['claimRole', claimRole ?? '', wasGiven('claimRole')],
    ['role', Object.fromEntries(roles), wasGiven('role')],
    [
      'dataScope',
      dataScope === undefined || !scopeSays(dataScope) ? {} : (dataScope as unknown as PlainJson),
      wasGiven('dataScope'),
    ],
  ]
  return Object.fromEntries(members.filter(([, , isGiven]) => isGiven).map(([name, value]) => [name, value]))
}

function read(bytes: Uint8Array, schema: typeof policyCreate | typeof policyUpdate): PolicyBody {
  const sent = parseJson(bytes)
  const twice = memberTwice(new TextDecoder().decode(bytes))
  if (twice !== undefined) {
    const { offset, name } = twice
    throw new SluiceError([policyDiagnostic('scope-twice', { name }, at({ start: offset, end: offset + 1 }))])
  }
  const policy: PolicyUpdate = decode(schema, sent)
  const oversize = scopeSizeFaults(policy.dataScope ?? {}, ['dataScope'])
  const faults = oversize.length > 0 ? oversize : checkScopeShape(sentMember(sent, 'dataScope'), ['dataScope'])
  if (faults.length > 0) throw new SluiceError(faults.slice(0, 20))
  return {
    name: policy.name,
    currentRevision: policy.currentRevision,
    scope: policy.dataScope,
    members: membersOf(policy, sent),
  }
}

/** Parses the body of policy create. Throws SluiceError with all errors. */
export function readPolicyCreate(bytes: Uint8Array): PolicyBody {
  return read(bytes, policyCreate)
}

/** Parses the body of policy update. Throws SluiceError with all errors. */
export function readPolicyUpdate(bytes: Uint8Array): PolicyBody {
  return read(bytes, policyUpdate)
}
