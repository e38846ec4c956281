import { absentFunctions } from './absent.ts'
import { calendarFunctions } from './calendar.ts'
import type { SeriesFunction } from './definition.ts'
import { histogramPartFunctions } from './histogram-parts.ts'
import { histogramQuantileFunctions } from './histogram-quantile.ts'
import { changeFunctions } from './instant-change.ts'
import { labelFunctions } from './label-functions.ts'
import { mathFunctions } from './math.ts'
import { overTimeFunctions } from './over-time.ts'
import { rateFunctions } from './rate.ts'
import { scalarFunctions } from './scalars.ts'
import { sortFunctions } from './sorting.ts'
import { statisticsFunctions } from './statistics.ts'

/**
 * Every function that works on values alone, by the name it has in the signature table. `timestamp`,
 * `start_timestamp` and `info` look at the samples behind a selector; the backend does them.
 */
export const seriesFunctions: ReadonlyMap<string, SeriesFunction> = new Map(
  [
    ...absentFunctions,
    ...calendarFunctions,
    ...changeFunctions,
    ...histogramPartFunctions,
    ...histogramQuantileFunctions,
    ...labelFunctions,
    ...mathFunctions,
    ...overTimeFunctions,
    ...rateFunctions,
    ...scalarFunctions,
    ...sortFunctions,
    ...statisticsFunctions,
  ].map((fn) => [fn.name, fn]),
)
