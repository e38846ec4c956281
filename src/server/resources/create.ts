import { scopeFaults } from '../../policy/scope/index.ts'
import {
  createMonitorService,
  createPolicyService,
  createSilenceService,
  makeUuid,
  type DocumentStore,
} from '../../resources/index.ts'
import type { Engine } from '../../engine/index.ts'
import type { ServerContext } from '../context.ts'
import { createAccessService } from './access.ts'
import { compileMonitor } from './monitor-compile.ts'
import { selectMonitors } from './monitor-filter.ts'

export interface ResourceOptions {
  readonly store: DocumentStore
  readonly engineOf: (backend: string | undefined) => Engine
  readonly randomBytes: (count: number) => Uint8Array
  /** True when the queries of monitors are compiled in a worker before the request comes here. */
  readonly isChecked?: boolean
}

/** Monitors, silences, policies and the access that these give, over one store: members for a `ServerContext`. */
export function createResources({ store, engineOf, randomBytes, isChecked = false }: ResourceOptions): {
  readonly [K in 'monitors' | 'silences' | 'policies']: NonNullable<ServerContext[K]>
} & Pick<ServerContext, 'access'> {
  const makeId = (): string => makeUuid(randomBytes)
  const { catalog, functions, clock } = engineOf(undefined)
  return {
    monitors: createMonitorService(store, {
      compile: (monitor, backend, readsText) => {
        if (!isChecked) compileMonitor(engineOf(backend), monitor, readsText)
      },
      select: (rows, filter, readsText) => selectMonitors(engineOf(undefined), rows, filter, readsText),
      makeId,
    }),
    silences: createSilenceService(store, { nowNs: () => clock.nowNs(), makeId }),
    policies: createPolicyService(store, {
      makeId,
      checkScope: (scope) => scopeFaults(scope, { catalog, functions }),
    }),
    access: createAccessService(store, { catalog, functions }),
  }
}
