import { checkMonitor, type QueryTools } from '../../alerting/index.ts'
import type { Engine } from '../../engine/index.ts'
import { checkCompiles } from '../../resources/index.ts'
import type { SampleSource } from '../../store/index.ts'
import { labelFilter } from '../search/label-filter.ts'
import { readFilter } from '../search/read-text.ts'
import { predicateOf } from '../search/search-service.ts'
import type { ResourceServices } from './resource-services.ts'

/** Access of monitors to one backend, with the rights of the program: all rows. */
export function monitorQueryTools(engine: Engine, samples: SampleSource): QueryTools {
  return {
    engine,
    samples,
    scope: undefined,
    guard: undefined,
    readFilter: (text, table, nowNs) => {
      const textField = engine.catalog.tables.get(table)?.textField
      return predicateOf(readFilter(text, 'filters', { dialect: 'native', nowNs, table, textField }))
    },
    readLabelFilter: (text) => labelFilter(text, 'filters', engine),
  }
}

/** A source without samples: checking a monitor reads none. */
const noSamples: SampleSource = { select: () => [], series: () => [] }

/** Throws a ResourceError for a monitor that cannot be evaluated on the caller's backend. */
export function monitorCheck(
  engineOf: (backend: string | undefined) => Engine,
): NonNullable<ResourceServices['checkMonitor']> {
  return (monitor, { backend, readsText }) =>
    checkCompiles(monitor, () => {
      checkMonitor(monitor, { ...monitorQueryTools(engineOf(backend), noSamples), readsText })
    })
}
