import { expect, test } from 'vitest'
import { EvaluationBudget, Template } from '../../../src/alerting/templates/index.ts'
import { Labels } from '../../../src/data/index.ts'

const data = {
  labels: Labels.empty,
  value: 1,
  values: new Map(),
  externalLabels: Labels.empty,
  externalUrl: '',
  nowMs: 0,
}
const noQuery = (): Promise<never> => Promise.reject(new Error('no query runs here'))

async function expandAll(source: string, count: number): Promise<readonly string[]> {
  const template = Template.parse(source)
  const budget = new EvaluationBudget()
  const texts: string[] = []
  for (let i = 0; i < count; i++) texts.push(await template.expand(data, noQuery, budget))
  return texts
}

test('templates of one evaluation share a limit of steps', async () => {
  const texts = await expandAll('{{ range $i := 4000 }}{{ end }}x', 300)
  expect(texts[0]).toBe('x')
  expect(texts.at(-1)).toContain('the templates of one evaluation take more than 1000000 steps')
})

test('templates of one evaluation share a limit of output', async () => {
  const texts = await expandAll('y'.repeat(60_000), 100)
  expect(texts[0]).toHaveLength(60_000)
  expect(texts.at(-1)).toContain('the texts of one evaluation have more than 4194304 characters')
})
