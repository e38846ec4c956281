// @module-tag slow
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { alertVectors } from './alerts.ts'
import { logqlVectors } from './logql.ts'
import { logsqlVectors } from './logsql.ts'
import { promqlVectors } from './promql.ts'
import { report } from './report.ts'

describe.each([logsqlVectors, logqlVectors, promqlVectors, alertVectors])('vectors of $language', (set) => {
  test.skipIf(!existsSync(set.directory))('pass, as many as did', async () => {
    const lines: string[] = []
    const code = await report(set, {}, (line) => lines.push(line))
    expect(code, lines.join('\n')).toBe(0)
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed, \d+ skipped$/)
  })
})
