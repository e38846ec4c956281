import { expect, test } from 'vitest'
import { requiredStages } from '../../../src/lang/logql/needed.ts'
import { parseLogqlOrThrow } from '../../../src/lang/logql/index.ts'

const given = new Set(['detected_level', 'service_name'])

/** Returns the kinds of the stages that a count grouped by these labels requires. */
function left(pipeline: string, by: readonly string[]): readonly string[] {
  const query = parseLogqlOrThrow(`{app="x"} ${pipeline}`)
  if (query.kind !== 'log-query') throw new Error('no log query')
  return requiredStages(query.stages, { kind: 'number', of: 'one', labels: { by } }, given).stages.map(
    ({ kind }) => kind,
  )
}

const DROPPED = '| drop __error__, __error_details__'

test('parsers decide nothing of labels that every entry is given, where errors are dropped behind them', () => {
  expect(left(`| json | logfmt ${DROPPED}`, ['detected_level'])).toEqual([])
  expect(left(`| json | detected_level="error" ${DROPPED}`, ['service_name'])).toEqual(['label-filter'])
  expect(left('| json', [])).toEqual([])
})

test('parsers stay where a label or an error that they make is read', () => {
  expect(left(`| json ${DROPPED}`, ['status'])).toEqual(['json', 'drop'])
  expect(left(`| json | status>=500 ${DROPPED}`, ['detected_level'])).toEqual(['json', 'label-filter', 'drop'])
  expect(left(`| json | __error__="" ${DROPPED}`, ['detected_level'])).toEqual(['json', 'label-filter', 'drop'])
  expect(left('| json', ['detected_level'])).toEqual(['json'])
  expect(left('| json | drop __error__="JSONParserErr"', ['detected_level'])).toEqual(['json', 'drop'])
  expect(left(`| unpack |= "a" ${DROPPED}`, ['detected_level'])).toEqual(['unpack', 'line-filter', 'drop'])
})

test('what is dropped before the first stage decides nothing unless it is read', () => {
  expect(left('| drop status', ['detected_level'])).toEqual([])
  expect(left('| drop status', ['status'])).toEqual(['drop'])
})
