import { formatRfc3339, throwIfErrors, type Diagnostic } from '../../base/index.ts'
import { compareText } from '../../data/index.ts'
import type { DataScope, PolicyApply, PolicyRecord } from '../../wire/index.ts'
import type {
  Actor,
  DocumentBody,
  DocumentStore,
  DocumentView,
  StoredDocument,
  VersionCheck,
} from '../document-store.ts'
import { refusal } from '../resource-error.ts'
import { defaultPolicies, defaultPolicy, type DefaultPolicy } from './defaults.ts'
import type { PolicyBody } from './read-body.ts'
import { appliedPolicies, applyPolicies, isPolicy, userCounts } from './user-policies.ts'

export interface PolicyTools {
  readonly makeId: () => string
  /**
   * Returns diagnostics for parts of a scope that cannot be enforced. A diagnostic that is an error rejects the policy.
   */
  readonly checkScope: (scope: DataScope) => readonly Diagnostic[]
}

/** The policies that a caller may see: `all` for administrators, `own` for the policies applied to the caller. */
export type Sees = 'all' | 'own'

export interface PolicyService {
  /**
   * Returns default policies first, then the others by name. Administrators (`all`) see all with their number of users;
   * others (`own`) only those applied to them, without counts.
   */
  list(actor: Actor, sees: Sees): readonly PolicyRecord[]
  /** Returns a policy. A policy that the caller may not see is reported as missing. */
  read(actor: Actor, id: string, sees: Sees): PolicyRecord
  create(actor: Actor, policy: PolicyBody): Promise<PolicyRecord>
  /** Updates a policy. Rejects if `currentRevision` is given and differs from the stored one. */
  update(actor: Actor, id: string, policy: PolicyBody, check?: VersionCheck<PolicyRecord>): Promise<PolicyRecord>
  remove(actor: Actor, id: string, check?: VersionCheck<PolicyRecord>): Promise<void>
  apply(actor: Actor, request: PolicyApply): Promise<void>
}

function shape(id: string, name: string, revision: number, body: DocumentBody, isReadOnly: boolean): PolicyRecord {
  const text = (member: string): string => (typeof body[member] === 'string' ? body[member] : '')
  return {
    uuid: id,
    name,
    description: text('description'),
    claimRole: text('claimRole'),
    role: (body['role'] ?? {}) as Record<string, string>,
    dataScope: body['dataScope'] ?? {},
    revisionNumber: revision,
    readOnly: isReadOnly,
  }
}

function recordOf(document: StoredDocument): PolicyRecord {
  const { id, name, revision, body, createdBy, createdAtNs, updatedBy, updatedAtNs } = document
  return {
    ...shape(id, name ?? '', revision, body, false),
    createdBy,
    createdTimestamp: formatRfc3339(createdAtNs, true),
    updatedBy,
    updatedTimestamp: formatRfc3339(updatedAtNs, true),
  }
}

function defaultRecord({ id, name, body }: DefaultPolicy): PolicyRecord {
  return shape(id, name, 1, body, true)
}

function ownIds(view: DocumentView, { email }: Actor): readonly string[] {
  return (email === undefined ? undefined : appliedPolicies(view, email)) ?? []
}

/** Returns a policy without its author, as shown to the users to whom the policy applies. */
function ownRecord(view: DocumentView, id: string): PolicyRecord | undefined {
  const fixed = defaultPolicy(id)
  if (fixed !== undefined) return defaultRecord(fixed)
  const found = view.get('policy', id)
  return found && shape(id, found.name ?? '', found.revision, found.body, false)
}

function checkName(view: DocumentView, name: string, ownId: string | undefined): void {
  const holder = view.findByName('policy', name)
  const isTaken = holder === undefined ? defaultPolicies.some((each) => each.name === name) : holder.id !== ownId
  if (isTaken) throw refusal('conflict', 'name-in-use', { name })
}

/** Returns the service for policies in a store. Its methods throw or reject with ResourceError and SluiceError. */
export function createPolicyService(store: DocumentStore, tools: PolicyTools): PolicyService {
  const missing = () => refusal('not-found', 'not-found', { what: 'policy' })
  const find = (view: DocumentView, id: string): StoredDocument => {
    const found = view.get('policy', id)
    if (found === undefined) throw missing()
    return found
  }
  const refuseDefault = (id: string): void => {
    const fixed = defaultPolicy(id)
    if (fixed !== undefined) throw refusal('forbidden', 'read-only', { name: fixed.name })
  }
  const checkScope = ({ scope }: PolicyBody): void => {
    if (scope !== undefined) throwIfErrors(tools.checkScope(scope))
  }
  return {
    list: (actor, sees) =>
      store.read(actor.backend, (view) => {
        if (sees === 'own') return ownIds(view, actor).flatMap((id) => ownRecord(view, id) ?? [])
        const counts = userCounts(view)
        const own = view.list('policy').toSorted((a, b) => compareText(a.name ?? '', b.name ?? ''))
        return [...defaultPolicies.map(defaultRecord), ...own.map(recordOf)].map((record) => ({
          ...record,
          entityCount: counts.get(record.uuid) ?? 0,
        }))
      }),
    read: (actor, id, sees) => {
      if (sees === 'own')
        return store.read(actor.backend, (view) => {
          const own = ownIds(view, actor).includes(id) ? ownRecord(view, id) : undefined
          if (own === undefined) throw missing()
          return own
        })
      const fixed = defaultPolicy(id)
      return fixed === undefined ? store.read(actor.backend, (view) => recordOf(find(view, id))) : defaultRecord(fixed)
    },
    create: async (actor, policy) => {
      checkScope(policy)
      const id = tools.makeId()
      return store.write(actor, (tx) => {
        checkName(tx, policy.name, undefined)
        return recordOf(tx.put('policy', id, policy.members, policy.name))
      })
    },
    update: async (actor, id, policy, check) => {
      refuseDefault(id)
      checkScope(policy)
      return store.write(actor, (tx) => {
        const before = find(tx, id)
        check?.(recordOf(before))
        const { currentRevision: given } = policy
        if (given !== undefined && given !== before.revision)
          throw refusal('conflict', 'stale-revision', { given, current: before.revision })
        checkName(tx, policy.name, id)
        return recordOf(tx.put('policy', id, { ...before.body, ...policy.members }, policy.name))
      })
    },
    remove: async (actor, id, check) => {
      refuseDefault(id)
      await store.write(actor, (tx) => {
        check?.(recordOf(find(tx, id)))
        if (!tx.remove('policy', id)) throw missing()
      })
    },
    apply: async (actor, { emails, policyUUIDs, override = false }) => {
      await store.write(actor, (tx) => {
        for (const id of policyUUIDs) if (!isPolicy(tx, id)) throw missing()
        for (const email of emails) applyPolicies(tx, email, policyUUIDs, override)
      })
    },
  }
}
