import { z } from 'zod'
import { engineNames, timeUnits, VARIABLE } from '../words.ts'

const name = (): z.ZodString => z.string().min(1).max(256)

const listOr = <S extends z.ZodType>(one: S): z.ZodUnion<[S, z.ZodArray<S>]> => z.union([one, z.array(one).min(1)])

const secret = (what: string): z.ZodString =>
  z.string().meta({
    description: `${what}: \`$NAME\` of an environment variable. Never written in the file itself.`,
    pattern: VARIABLE.source,
  })

export const connectionSchema = z
  .strictObject({
    engine: z.enum(engineNames).describe('What keeps the data.'),
    path: name()
      .optional()
      .describe(
        'The database file of `duckdb` or `sqlite`, beside the catalog unless absolute. DuckDB without one reads files.',
      ),
    url: name().optional().describe('Where `clickhouse` or `postgres` listens, without user and password.'),
    attach: z
      .record(name(), name())
      .optional()
      .describe(
        'Databases that `duckdb` reads too, by the name before their tables: paths that end with `.duckdb`, `.db` or `.sqlite`, addresses as `postgres://host/database`.',
      ),
    database: name().optional().describe('The database there, unless the address names it.'),
    user: secret('The user').optional(),
    password: secret('The password').optional(),
  })
  .meta({ id: 'Connection', description: 'A database, or files that DuckDB reads.' })

export const timeSchema = z
  .strictObject({
    column: name(),
    field: name().optional().describe('What queries call it; `_time` unless given.'),
    unit: z
      .enum(timeUnits)
      .optional()
      .describe(
        'Of numbers since 1970, or `timestamp` for the type of the database, `text` for RFC 3339. Found out unless given.',
      ),
    floor: name()
      .optional()
      .describe(
        'A column with the same times rounded down, by which the table is sorted or divided: ranges of times bound it too.',
      ),
  })
  .meta({ id: 'TimeColumn', description: 'The column with the time of a row.' })

export const arrivalSchema = z.strictObject({ arrival: z.literal(true) }).meta({
  id: 'ArrivalTime',
  description:
    'Rows without a time: all have that at which the catalog is opened. Rows of files come last first, others by `tieBreak`.',
})

export const dataTypes = ['any', 'string', 'number', 'integer', 'bool', 'time', 'json'] as const

export const fieldSchema = z
  .strictObject({
    column: name().optional().describe('The column of the table; one of the same name unless given.'),
    path: listOr(name()).optional().describe('Where in a JSON, map or struct column the value stands.'),
    type: z.enum(dataTypes).optional().describe('What all its values are. By the type of the column unless given.'),
    aliases: listOr(name()).optional().describe('Other names of it in queries.'),
  })
  .meta({ id: 'CatalogField', description: 'A field of queries and where its values stand.' })

export const attributeKinds = ['map', 'json', 'struct'] as const

export const attributeSchema = z
  .strictObject({
    column: name(),
    kind: z.enum(attributeKinds).optional().describe('By the type of the column unless given.'),
    prefix: z.string().max(256).optional().describe('What its names begin with in queries; nothing unless given.'),
  })
  .meta({ id: 'Attributes', description: 'A column that holds many fields by name.' })

export const wordKinds = ['text', 'trigram', 'tsvector'] as const

const wordsSchema = z.union([
  z.enum(wordKinds),
  z.strictObject({ fts5: name().describe('A full-text table over the text column.') }),
])

export const domains = ['logs', 'events', 'traces', 'metrics', 'workloads', 'clusters'] as const

export const seriesSchema = z
  .strictObject({
    name: name().optional().describe('The field with the name of the metric; `__name__` unless given.'),
    value: name().optional().describe('The field with the value; `value` unless given.'),
  })
  .meta({ id: 'CatalogSeries', description: 'How the rows of a table are metric samples.' })

export const tableSchema = z
  .strictObject({
    connection: name().optional().describe('Unless there is only one.'),
    table: listOr(name())
      .optional()
      .describe('The table, with its database and schema before it: `public.logs`. Of the same name unless given.'),
    files: listOr(name())
      .optional()
      .describe('Paths and patterns such as `logs/**/*.parquet`, read by DuckDB, in place of a table.'),
    format: z
      .enum(['parquet', 'csv', 'json', 'arrow'])
      .optional()
      .describe('Of the files; by their names unless given.'),
    time: z
      .union([name(), timeSchema, arrivalSchema])
      .optional()
      .describe('The column with the time of a row. Found by its name unless given.'),
    text: name().optional().describe('The field that bare words search.'),
    stream: listOr(name()).optional().describe('Fields that make up `_stream`.'),
    fields: z
      .record(name(), z.union([name(), fieldSchema]))
      .optional()
      .describe('Fields by name, with their column. Columns that are not named are fields under their own names.'),
    allColumns: z.boolean().optional().describe('False leaves out the columns that `fields` does not name.'),
    hidden: listOr(name()).optional().describe('Columns that queries cannot see.'),
    attributes: listOr(z.union([name(), attributeSchema]))
      .optional()
      .describe('Columns that hold many fields by name, looked at in this order. By their types unless given.'),
    tieBreak: listOr(name()).optional().describe('Columns that order rows of one instant, the latest first.'),
    domain: z
      .enum(domains)
      .optional()
      .describe('The kind of data that policies speak of; by the name of the table, else `logs`.'),
    words: wordsSchema.optional().describe('The index of words that the text column has.'),
    series: seriesSchema.optional().describe('For metric samples.'),
  })
  .meta({ id: 'CatalogTable', description: 'A table of a database as queries see it.' })

export const catalogSchema = z
  .strictObject({
    connections: z.record(name(), connectionSchema),
    tables: z.record(name(), tableSchema),
  })
  .meta({ id: 'Catalog', description: 'Tables of other databases, for queries.' })

export type CatalogFile = z.output<typeof catalogSchema>
export type FileConnection = z.output<typeof connectionSchema>
export type FileTable = z.output<typeof tableSchema>
export type FileSeries = z.output<typeof seriesSchema>
export type FileField = z.output<typeof fieldSchema>
