import { scopeFaults } from '../../policy/scope/index.ts'
import {
  createMonitorService,
  createPolicyService,
  createSavedQueryService,
  createSilenceService,
  makeUuid,
  type DocumentStore,
} from '../../resources/index.ts'
import type { Engine } from '../../engine/index.ts'
import type { AuthContext } from '../auth/auth-context.ts'
import { createAccessService } from './access.ts'
import { monitorCheck } from './monitor-queries.ts'
import { monitorPick } from './monitor-filter.ts'
import type { ResourceServices } from './resource-services.ts'

export interface ResourceOptions {
  readonly store: DocumentStore
  readonly engineOf: (backend: string | undefined) => Engine
  readonly randomBytes: (count: number) => Uint8Array
  /** True to let keys see nothing if their user has no policy. */
  readonly requirePolicy?: boolean
}

/** Services for monitors, silences, policies and access over one store, for a `ServerContext`. */
export function createResources({
  store,
  engineOf,
  randomBytes,
  requirePolicy = false,
}: ResourceOptions): { readonly [K in keyof ResourceServices]-?: NonNullable<ResourceServices[K]> } & Pick<
  AuthContext,
  'access'
> {
  const makeId = (): string => makeUuid(randomBytes)
  const { catalog, functions, clock } = engineOf(undefined)
  return {
    monitors: createMonitorService(store, { makeId }),
    pickMonitors: monitorPick(engineOf(undefined)),
    checkMonitor: monitorCheck(engineOf),
    silences: createSilenceService(store, { nowNs: () => clock.nowNs(), makeId }),
    policies: createPolicyService(store, {
      makeId,
      checkScope: (scope) => scopeFaults(scope, { catalog, functions }),
    }),
    savedQueries: createSavedQueryService(store),
    access: createAccessService(store, { catalog, functions, requirePolicy }),
  }
}
