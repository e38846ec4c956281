import { describe, expect, test } from 'vitest'
import { page } from '../../bench/page.ts'
import { bestPeer, report, slopes, slower, slowFirst, standings } from '../../bench/report.ts'
import type { BenchResult } from '../../bench/run.ts'

function result(more: Partial<BenchResult> = {}): BenchResult {
  return {
    rows: 1000,
    seed: 1,
    node: 'v26.0.0',
    threads: 1,
    peerThreads: 2,
    loadSeconds: { columnar: 1, duckdb: 2, chdb: 3 },
    bytes: {
      columnar: { residentBytes: 200_000, emptyBytes: 50_000 },
      duckdb: { residentBytes: 300_000 },
      chdb: { residentBytes: 400_000, diskBytes: 5 * 1024 ** 2 },
    },
    medians: {
      Q01: { columnar: 0.2, duckdb: 0.01, chdb: 5 },
      Q08: { columnar: 10, duckdb: 9, chdb: 4 },
      Q20: { columnar: 1, duckdb: 3 },
    },
    firstMs: {
      Q01: { columnar: 21, duckdb: 1, chdb: 5 },
      Q08: { columnar: 10, duckdb: 9, chdb: 4 },
      Q20: { columnar: 1, duckdb: 3 },
    },
    differences: [],
    ...more,
  }
}

describe('what a run tells', () => {
  test('means are over the questions that both answer, with a tenth of a millisecond more on both sides', () => {
    const means = standings(result())
    expect(means.map(({ peer, questions }) => [peer, questions])).toEqual([
      ['duckdb', 3],
      ['chdb', 2],
      ['best peer', 3],
    ])
    expect(means[1]?.mean).toBeCloseTo(Math.sqrt((5.1 / 0.3) * (4.1 / 10.1)))
    expect(means[2]?.mean).toBeCloseTo(Math.cbrt((0.11 / 0.3) * (4.1 / 10.1) * (3.1 / 1.1)))
    expect(bestPeer({ columnar: 1 }, 'columnar')).toBeUndefined()
  })

  test('slower than the best is what is slower by a fifth and not too short to tell', () => {
    expect(slower(result())).toEqual(['Q08 2.50 times chdb (10 and 4.00 ms)'])
    expect(slower(result({ medians: { Q08: { columnar: 4.7, chdb: 4 } } }))).toEqual([])
  })

  test('a first asking may take three times the warm one and 20 ms', () => {
    expect(slowFirst(result())).toEqual(['Q01 21 ms, warm 0.20'])
    expect(slowFirst(result({ firstMs: { Q01: { columnar: 20.5 } } }))).toEqual([])
  })

  test('lines for a terminal name times, memory, means and differences', () => {
    const text = report(result({ differences: ['Q20: columnar and chdb differ: 1 rows against 2'] })).join('\n')
    expect(text).toMatch(/^Q08 +10\.000 +9\.000 +4\.000 +0\.40 {2}substring, frequent$/mu)
    expect(text).toContain('chdb: loaded in 3.00 s, 0 MB resident, 400 B a row, 5 MB on disk')
    expect(text).toContain(
      'columnar: loaded in 1.00 s, 0 MB resident, 200 B a row (0 MB before loading; 150 B a row since)',
    )
    expect(text).toContain('duckdb / own: 0.98')
    expect(text).toContain('DIFFERENCE Q20: columnar and chdb differ')
  })

  test('slopes compare the peers and questions that both results have', () => {
    const large = result({ rows: 10_000, medians: { Q08: { columnar: 100.9, chdb: 40.9 } } })
    const lines = slopes([result(), large])
    expect(lines[0]).toBe('From 1000 to 10000 rows, 10.0 times as many, times grow by')
    expect(lines.find((line) => line.includes('Scans of texts'))).toMatch(/columnar 10\.00, chdb 10\.00$/u)
    expect(lines).toHaveLength(3)
    expect(slopes([large])).toEqual([])
  })
})

describe('the page', () => {
  const large = result({ rows: 10_000, differences: ['Q20: <b> & "text"'] })
  const html = page([result(), large])

  test('has a picture of each class asked, a bar for each time, and the slopes', () => {
    expect(html.match(/<svg /gu)).toHaveLength(3)
    expect(html.match(/<rect /gu)).toHaveLength(8)
    expect(html).toContain('<title>DuckDB: 9.00 ms</title>')
    expect(html).toContain('From 1,000 to 10,000 rows')
  })

  test('asks nothing of any network, escapes texts, and has colours for both schemes', () => {
    expect(html).not.toMatch(/https?:|src=|href=|@import|<script/u)
    expect(html).toContain('Q20: &lt;b&gt; &amp; &quot;text&quot;')
    expect(html).toContain('prefers-color-scheme: dark')
    for (const [, points] of html.matchAll(/(?:width|x|y|x1|x2|y2)="([^"]*)"/gu)) expect(points).not.toContain('NaN')
  })
})
