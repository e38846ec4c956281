export * from './audit.ts'
export { beginDeletion, endDeletion, type DeletedRows } from './deletions.ts'
export { resourceDiagnostic, type ResourceFailure } from './diagnostics.ts'
export * from './document-store.ts'
export {
  createMemoryDocumentStore,
  documentsOf,
  openDocumentStore,
  policyBackendsOf,
  type DocumentStoreOptions,
} from './logged-store.ts'
export { monitorDurationNs } from './monitors/duration.ts'
export type { HeldMonitor } from './monitors/held.ts'
export { readMonitor, type MonitorBody } from './monitors/read-body.ts'
export * from './monitors/service.ts'
export { userAccess, type UserAccess } from './policies/access.ts'
export { defaultPolicies } from './policies/defaults.ts'
export { readPolicyCreate, readPolicyUpdate, type PolicyBody } from './policies/read-body.ts'
export * from './policies/service.ts'
export { userId } from './policies/user-policies.ts'
export { ResourceError } from './resource-error.ts'
export * from './saved-queries.ts'
export * from './silences/service.ts'
export { makeUuid } from './uuid.ts'
