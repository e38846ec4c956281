import type { DocumentBody } from '../document-store.ts'

/** A built-in policy, which can be applied but not changed. */
export interface DefaultPolicy {
  readonly id: string
  readonly name: string
  readonly body: DocumentBody
}

/** Three built-in sets of roles without row restrictions; the ids never change. */
export const defaultPolicies: readonly DefaultPolicy[] = [
  {
    id: '5a1ce000-0000-4000-8000-000000000001',
    name: 'Administrator',
    body: {
      description: 'Queries everything, changes monitors, silences and policies.',
      role: { admin: 'admin', write: 'write', read: 'read' },
    },
  },
  {
    id: '5a1ce000-0000-4000-8000-000000000002',
    name: 'Editor',
    body: {
      description: 'Queries everything, changes monitors and silences.',
      role: { write: 'write', read: 'read' },
    },
  },
  {
    id: '5a1ce000-0000-4000-8000-000000000003',
    name: 'Viewer',
    body: { description: 'Queries everything.', role: { read: 'read' } },
  },
]

export function defaultPolicy(id: string): DefaultPolicy | undefined {
  return defaultPolicies.find((policy) => policy.id === id)
}
