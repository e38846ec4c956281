import { Labels } from '../../data/index.ts'
import { FLOAT, newColumn } from './columns.ts'
import type { SeriesFunction } from './definition.ts'
import { greater, lesser } from './float-ops.ts'
import { scalar, scalarArg, vector, vectorArg } from './values.ts'

function constant(name: string, value: (call: Parameters<SeriesFunction['evaluate']>[1]) => number): SeriesFunction {
  return { name, evaluate: (_, call) => scalar(new Float64Array(call.steps.count).fill(value(call))) }
}

function ofTwo(name: string, combine: (a: number, b: number) => number): SeriesFunction {
  return {
    name,
    evaluate: (args) => {
      const a = scalarArg(args, 0)
      const b = scalarArg(args, 1)
      return scalar(a.map((value, step) => combine(value, b[step])))
    },
  }
}

const time: SeriesFunction = {
  name: 'time',
  dependsOnTime: true,
  evaluate: (_, call) => scalar(call.steps.timesMs.map((timeMs) => timeMs / 1000)),
}

/** The function `vector`, which returns one element without labels. */
const toVector: SeriesFunction = {
  name: 'vector',
  evaluate: (args, call) => {
    const column = newColumn(Labels.empty, false, call.steps.count)
    column.values.set(scalarArg(args, 0))
    column.kinds.fill(FLOAT)
    return vector([column])
  },
}

/** The function `scalar`, which returns the only float at each step; NaN if there are none or several. */
const toScalar: SeriesFunction = {
  name: 'scalar',
  evaluate: (args, call) => {
    const values = new Float64Array(call.steps.count).fill(NaN)
    const found = new Uint8Array(call.steps.count)
    for (const column of vectorArg(args, 0).series) {
      for (let step = 0; step < values.length; step++) {
        if (column.kinds[step] !== FLOAT) continue
        values[step] = found[step] === 0 ? column.values[step] : NaN
        found[step] = 1
      }
    }
    return scalar(values)
  },
}

export const scalarFunctions: readonly SeriesFunction[] = [
  constant('pi', () => Math.PI),
  constant('start', (call) => call.query.startMs / 1000),
  constant('end', (call) => call.query.endMs / 1000),
  constant('step', (call) => call.query.stepMs / 1000),
  constant('range', (call) => (call.query.endMs - call.query.startMs) / 1000),
  ofTwo('max_of', greater),
  ofTwo('min_of', lesser),
  time,
  toVector,
  toScalar,
]
