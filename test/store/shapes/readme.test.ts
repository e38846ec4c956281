import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loggerShapes, logsTable, placeFields, withShapes } from '../../../src/store/index.ts'
import { isUpdatingGolden, writeGolden } from '../../harness/golden.ts'

const path = join(import.meta.dirname, '../../../src/store/shapes/README.md')
const HEADING = '## The table\n\n'

function cell(names: readonly string[] | undefined): string {
  return (names ?? []).map((name) => `\`${name}\``).join(' ')
}

function table(): string {
  const lines = loggerShapes.map((shape) => {
    const { name, has, text, level, levels, defaultLevel, time, timeParts, otherTimes, service, trace, span, fields } =
      shape
    const levelCell = [
      cell(level),
      levels === undefined ? '' : `by ${levels}`,
      defaultLevel === undefined ? '' : `else ${defaultLevel}`,
    ]
    const traceCell = [cell(trace), cell(span)]
    const others = Object.entries(fields ?? {}).map(([field, names]) => `${field}: ${cell(names)}`)
    const parts = [
      name,
      cell(has),
      cell(text),
      levelCell.filter((each) => each !== '').join(', '),
      [cell([...(time ?? []), ...(timeParts ?? [])]), otherTimes === undefined ? '' : `else ${cell(otherTimes)}`]
        .filter((each) => each !== '')
        .join(', '),
      cell(service),
      traceCell.filter((each) => each !== '').join(' · '),
      others.join('; '),
    ]
    return `| ${parts.join(' | ')} |`
  })
  const head =
    '| logger | where all of these are | text | level | time | service | trace · span | others |\n|---|---|---|---|---|---|---|---|'
  return `${head}\n${lines.join('\n')}\n`
}

test('the README has the table of shapes', () => {
  const readme = readFileSync(path, 'utf8')
  const at = readme.indexOf(HEADING)
  if (at === -1) throw new Error(`the README has no heading "${HEADING.trim()}"`)
  const before = readme.slice(0, at + HEADING.length)
  if (isUpdatingGolden) writeGolden(path, before + table())
  else expect(readme).toBe(before + table())
})

test('a program adds a shape, which wins', () => {
  const own = withShapes(logsTable, [
    { name: 'ours', text: ['headline'], level: ['grade'] },
    { name: 'ours, numbered', has: ['grade_no', 'headline'], level: ['grade_no'], levels: 'syslog' },
  ])
  const context = { nowNs: 0n }
  const { row } = placeFields(
    own,
    new Map([
      ['headline', 'x'],
      ['msg', 'y'],
      ['grade', 'WARNING'],
    ]),
    context,
  )
  expect(Object.fromEntries(row)).toEqual({
    _time: null,
    content: 'x',
    'content.msg': 'y',
    level: 'WARNING',
  })
  const other = placeFields(
    own,
    new Map<string, string | number>([
      ['headline', 'x'],
      ['grade_no', 3],
    ]),
    context,
  )
  expect(Object.fromEntries(other.row)).toEqual({ _time: null, content: 'x', grade_no: 3, level: 'error' })
})
