import type { Extension } from '../engine/index.ts'
import { defineScalar, defineStats } from '../functions/index.ts'
import { definePipe } from '../lang/log/index.ts'

/** One definition of each kind that a user can add. The laws must hold for queries that use them. */
export const ownDefinitions: Extension = {
  pipes: [
    definePipe({
      name: 'own_newest',
      arguments: [
        { name: 'key', type: 'field' },
        { name: 'most', type: 'number', isOptional: true },
      ],
      expand: ({ key, most = '1' }) => `sort by (_time desc) | limit ${most} by (${key})`,
      doc: { summary: 'The newest rows of each key.' },
    }),
    definePipe({
      name: 'own_mask',
      arguments: [
        { name: 'field', type: 'field' },
        { name: 'mark', type: 'text' },
      ],
      fields: ({ field }) => ({ reads: [field], writes: { [field]: 'any' } }),
      rows: ({ field, mark }) => {
        return ({ [field]: value }) => ({ [field]: typeof value === 'string' ? `${mark}${value.length}` : value })
      },
      isOneToOne: true,
      doc: { summary: 'A text as its length.' },
    }),
    definePipe({
      name: 'own_counted',
      arguments: [{ name: 'keys', type: 'fields' }],
      columns: ({ keys }) => Object.fromEntries([...keys, 'own_rows'].map((name) => [name, 'any' as const])),
      tables: ({ keys }) => {
        return (rows) =>
          rows
            .slice(0, 20)
            .map((row) => ({ ...Object.fromEntries(keys.map((key) => [key, row[key]])), own_rows: rows.length }))
      },
      doc: { summary: 'Some columns of the first rows, with how many rows there are.' },
    }),
  ],
  scalars: [
    defineScalar({
      name: 'own_halved',
      parameters: [{ name: 'number', type: 'number' }],
      returns: 'number',
      evaluate: (number) => number / 2,
      doc: { summary: 'Half of it.' },
    }),
    defineScalar({
      name: 'own_found',
      parameters: [
        { name: 'part', type: 'string', isLiteral: true },
        { name: 'text', type: 'string' },
      ],
      returns: 'number',
      evaluate: (part, text) => text.indexOf(part),
      doc: { summary: 'Where a text stands in another.' },
    }),
  ],
  stats: [
    defineStats({
      name: 'own_longest',
      parameters: [{ name: 'field', type: 'string' }],
      returns: 'number',
      init: () => 0,
      add: (most, text) => Math.max(most, text.length),
      merge: (a, b) => Math.max(a, b),
      finish: (most) => most,
      isOrderSensitive: false,
      doc: { summary: 'The length of the longest text.' },
    }),
    defineStats({
      name: 'own_joined',
      parameters: [
        { name: 'separator', type: 'string', isLiteral: true },
        { name: 'field', type: 'string' },
      ],
      returns: 'string',
      init: (separator) => ({ separator, items: [] as string[] }),
      add: (state, text) => ({ ...state, items: [...state.items, text] }),
      merge: (a, b) => ({ ...a, items: [...a.items, ...b.items] }),
      finish: ({ separator, items }) => items.join(separator),
      doc: { summary: 'The texts in a row.' },
    }),
  ],
}
