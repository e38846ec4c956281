import { readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { condition, filterGroup, jsonSchemas, pipeline, selector } from '../../src/wire/index.ts'

const file = new URL('../../grammar/pipeline.schema.json', import.meta.url)

function published(): Record<string, unknown> {
  const definitions = jsonSchemas([pipeline, filterGroup, condition, selector], (id) => `#/$defs/${id}`)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Structured query',
    description:
      'Pipeline, FilterGroup, Condition and Selector of the HTTP API. Generated from the validating schemas.',
    $ref: '#/$defs/Pipeline',
    $defs: definitions,
  }
}

describe('grammar/pipeline.schema.json', () => {
  test('is what the schemas say', () => {
    const text = `${JSON.stringify(published(), undefined, 2)}\n`
    if (process.env['UPDATE_GRAMMAR'] === '1') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('is a schema that accepts pipelines and refuses others', () => {
    const validate = new Ajv2020({ strict: true }).compile(published())
    expect(validate({ from: { union: { leftPipeline: { limit: 1 }, rightPipeline: {} } }, sample: 3 })).toBe(true)
    expect(validate({ from: { union: { leftPipeline: { limit: 'x' } } } })).toBe(false)
    expect(validate({ filters: { groups: [{ groups: [{ operator: 'xor' }] }] } })).toBe(false)
    expect(validate({ selectors: [{ windowSpec: { partitionBy: [{ key: 1 }] } }] })).toBe(false)
    expect(validate({ mathExpression: [{ args: [{ left_expression: { scalar: '1' } }] }] })).toBe(true)
  })

  test('writes recursion as references', () => {
    const definitions = published()['$defs'] as Record<string, { properties: Record<string, unknown> }>
    expect(definitions['Pipeline']?.properties['from']).toEqual({ $ref: '#/$defs/Pipeline' })
    expect(definitions['FilterGroup']?.properties['groups']).toEqual({
      type: 'array',
      items: { $ref: '#/$defs/FilterGroup' },
    })
    expect(definitions['Selector']?.properties['conditionFilter']).toEqual({ $ref: '#/$defs/FilterGroup' })
  })
})
