import { civilFromDays, DAY_SECONDS, daysFromCivil, daysInMonth } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import { FLOAT, newColumn } from './columns.ts'
import type { SeriesFunction } from './definition.ts'
import { mapFloats } from './math.ts'
import { vector, vectorArg } from './values.ts'

/** Defines a function of a time in Unix seconds (UTC). Without an argument, the function uses the evaluation time. */
function calendarFunction(name: string, part: (seconds: number) => number): SeriesFunction {
  const ofValue = (value: number): number => part(Math.trunc(value))
  return {
    name,
    dependsOnTime: true,
    keepsLabels: true,
    evaluate: (args, call) => {
      if (args.length > 0) return mapFloats(vectorArg(args, 0).series, call, ofValue)
      const now = newColumn(Labels.empty, false, call.steps.count)
      now.kinds.fill(FLOAT)
      for (let step = 0; step < call.steps.count; step++) now.values[step] = ofValue(call.steps.timesMs[step] / 1000)
      return vector([now])
    },
  }
}

function dayNumber(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS)
}

function secondOfDay(seconds: number): number {
  return seconds - dayNumber(seconds) * DAY_SECONDS
}

export const calendarFunctions: readonly SeriesFunction[] = [
  calendarFunction('minute', (seconds) => Math.floor(secondOfDay(seconds) / 60) % 60),
  calendarFunction('hour', (seconds) => Math.floor(secondOfDay(seconds) / 3600)),
  // 1970-01-01 was a Thursday.
  calendarFunction('day_of_week', (seconds) => (((dayNumber(seconds) + 4) % 7) + 7) % 7),
  calendarFunction('day_of_month', (seconds) => civilFromDays(dayNumber(seconds)).day),
  calendarFunction('day_of_year', (seconds) => {
    const day = dayNumber(seconds)
    return day - daysFromCivil(civilFromDays(day).year, 1, 1) + 1
  }),
  calendarFunction('days_in_month', (seconds) => {
    const { year, month } = civilFromDays(dayNumber(seconds))
    return daysInMonth(year, month)
  }),
  calendarFunction('month', (seconds) => civilFromDays(dayNumber(seconds)).month),
  calendarFunction('year', (seconds) => civilFromDays(dayNumber(seconds)).year),
]
