import { absentFunctions } from './absent.ts'
import { calendarFunctions } from './calendar.ts'
import type { SelectorFunction, SeriesFunction } from './definition.ts'
import { histogramPartFunctions } from './histogram/histogram-parts.ts'
import { histogramQuantileFunctions } from './histogram/histogram-quantile.ts'
import { counterRateFunctions } from './rate/counter-rate.ts'
import { changeFunctions } from './rate/instant-change.ts'
import { labelFunctions } from './label-functions.ts'
import { mathFunctions } from './math.ts'
import { overTimeFunctions } from './over-time.ts'
import { rateFunctions } from './rate/rate.ts'
import { scalarFunctions } from './scalars.ts'
import { selectorFunctions } from './selector-functions.ts'
import { sortFunctions } from './sorting.ts'
import { statisticsFunctions } from './statistics.ts'

/** All functions, by their names in the signature table. */
export const seriesFunctions: ReadonlyMap<string, SeriesFunction | SelectorFunction> = new Map(
  [
    ...absentFunctions,
    ...calendarFunctions,
    ...changeFunctions,
    ...counterRateFunctions,
    ...histogramPartFunctions,
    ...histogramQuantileFunctions,
    ...labelFunctions,
    ...mathFunctions,
    ...overTimeFunctions,
    ...rateFunctions,
    ...scalarFunctions,
    ...selectorFunctions,
    ...sortFunctions,
    ...statisticsFunctions,
  ].map((fn: SeriesFunction | SelectorFunction) => [fn.name, fn]),
)
