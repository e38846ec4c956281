export type { EndpointRequest, ScopeEndpoint } from './endpoint.ts'
export { rowKinds, type RowKind } from './kinds.ts'
export type { LabelScopes } from './metrics.ts'
export { runScopeFuzz, type ScopeFailure, type ScopeFuzzOptions, type ScopeFuzzReport } from './run.ts'
