import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  Template,
  TemplateError,
  type TemplateData,
  type TemplateQuery,
} from '../../../src/alerting/templates/index.ts'
import { Labels } from '../../../src/data/index.ts'

/** A template and its result, recorded from Go's `text/template` with Prometheus's functions. */
interface Recorded {
  readonly template: string
  readonly expanded?: string
  readonly fails?: 'when read' | 'when run'
}

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as readonly Recorded[]

const data: TemplateData = {
  labels: Labels.of({ instance: 'web-1:9100', job: 'node', städte: 'Köln' }),
  value: 1.5,
  values: new Map(),
  externalLabels: Labels.of({ cluster: 'c1' }),
  externalUrl: 'https://e.example.com/base',
  nowMs: 0,
}

const query: TemplateQuery = (text) => {
  const sample = (h: string, value: number) => ({ labels: Labels.of({ __name__: 'x', h }), value })
  return Promise.resolve(text === 'none' ? [] : [sample('b', 2), sample('a', 1)])
}

async function expand(source: string): Promise<Omit<Recorded, 'template'>> {
  let template: Template
  try {
    template = Template.parse(source)
  } catch (error) {
    if (error instanceof TemplateError) return { fails: 'when read' }
    throw error
  }
  const expanded = await template.expand(data, query)
  return expanded.startsWith('<error expanding template: ') ? { fails: 'when run' } : { expanded }
}

test.each(recorded)('$template gives the same as in Go', async ({ template, ...result }) => {
  expect(await expand(template)).toEqual(result)
})
