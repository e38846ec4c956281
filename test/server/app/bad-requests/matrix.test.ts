// @module-tag slow
import { beforeAll, describe, expect, test } from 'vitest'
import { makeMatrix, type Matrix } from './matrix.ts'

let matrix: Matrix

beforeAll(async () => {
  matrix = await makeMatrix()
})

describe('every class of bad requests on every operation it applies to', () => {
  test('is answered by what it is: no 2xx, no 5xx, nothing empty, nothing revealed', () => {
    const { report } = matrix
    expect(report.faults).toEqual([])
    expect([...report.statuses.keys()].every((status) => status >= 400 && status < 500)).toBe(true)
    expect(report.total).toBeGreaterThan(6000)
    expect(report.cells.size).toBeGreaterThan(80)
  })

  test('no class is empty, and no operation is left out', () => {
    const { report, operations } = matrix
    const empty = [...report.cells].filter(([, row]) => row.size === 0).map(([name]) => name)
    expect(empty).toEqual([])
    for (const { name, takes } of operations) {
      const classes = [...report.cells.values()].filter((row) => row.has(name)).length
      expect(classes, name).toBeGreaterThanOrEqual(takes === 'nothing' ? 8 : 12)
    }
  })

  test('monitors, silences and policies have more than 300 of more than 25 classes', () => {
    const { report } = matrix
    let classes = 0
    let total = 0
    for (const row of report.cells.values()) {
      const counts = [...row].filter(([name]) => /\/api\/(monitors|rbac)/.test(name)).map(([, count]) => count)
      if (counts.length > 0) classes++
      total += counts.reduce((sum, count) => sum + count, 0)
    }
    expect(classes).toBeGreaterThan(25)
    expect(total).toBeGreaterThan(300)
  })

  test('none is logged as a fault of the server', () => {
    expect(matrix.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
