import type { ForeignColumn, ForeignSource } from '../foreign/engine.ts'
import { noSource } from './postgres-errors.ts'
import type { RawRows } from './postgres-rows.ts'

/** A column with a trigram index, which serves substring searches. */
export interface PostgresWordIndex {
  readonly column: string
  readonly kind: 'trigram'
}

/**
 * Runs a query on the PostgreSQL catalog about the table `source`; errors name this table. Throws SluiceError
 * `foreign/no-source`.
 */
export type PostgresQuery = (
  text: string,
  values: readonly (string | null)[],
  source: string,
) => Promise<RawRows['rows']>

/**
 * Version number of the oldest supported PostgreSQL release, 14, the first that returns the microseconds of a time
 * exactly.
 */
const OLDEST = 140_000

const RELATION = `SELECT to_regclass($1)::oid, current_database(), getdatabaseencoding(), current_setting('server_version_num')`

/**
 * SQL that lists the columns of a table. The type of a domain is its base type, the type of an enumeration has its
 * labels. If a string column compares by a collation, its type names the collation, and `loosely` marks a collation in
 * which different strings can be equal.
 */
const COLUMNS = `
WITH RECURSIVE columns AS (
  SELECT a.attnum, a.attname, a.atttypid AS type, a.atttypmod AS modifier, NOT a.attnotnull AS is_nullable, a.attcollation
  FROM pg_catalog.pg_attribute AS a
  WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT c.attnum, c.attname, t.typbasetype, t.typtypmod, c.is_nullable AND NOT t.typnotnull, c.attcollation
  FROM columns AS c JOIN pg_catalog.pg_type AS t ON t.oid = c.type AND t.typtype = 'd'
)
SELECT c.attname,
  CASE WHEN t.typtype = 'e' THEN (
    SELECT 'ENUM(' || string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) || ')'
    FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = c.type
  ) ELSE pg_catalog.format_type(c.type, c.modifier) END ||
  CASE
    WHEN l.oid IS NULL OR t.typcategory = 'A' OR l.collname IN ('C', 'POSIX') THEN ''
    WHEN l.collprovider = 'd' AND d.datcollate IN ('C', 'POSIX') THEN ''
    ELSE ' COLLATE ' || pg_catalog.quote_ident(CASE WHEN l.collprovider = 'd' THEN d.datcollate ELSE l.collname END) || CASE WHEN l.collisdeterministic THEN '' ELSE ' loosely' END
  END,
  c.is_nullable
FROM columns AS c
JOIN pg_catalog.pg_type AS t ON t.oid = c.type AND t.typtype <> 'd'
LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = c.attcollation
CROSS JOIN (SELECT datcollate FROM pg_catalog.pg_database WHERE datname = current_database()) AS d
ORDER BY c.attnum`

/** SQL that lists the trigram indexes over whole columns of a table; `LIKE` can use these indexes. */
const WORD_INDEXES = `
SELECT DISTINCT a.attname
FROM pg_catalog.pg_index AS i
CROSS JOIN LATERAL unnest(i.indkey::int2[], i.indclass::oid[]) AS k(attnum, opclass)
JOIN pg_catalog.pg_opclass AS o ON o.oid = k.opclass AND o.opcname IN ('gin_trgm_ops', 'gist_trgm_ops')
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
WHERE i.indrelid = $1::oid AND i.indisvalid AND i.indpred IS NULL
ORDER BY a.attname`

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

async function relationOf(
  source: ForeignSource,
  query: PostgresQuery,
): Promise<{ readonly name: string; readonly oid: string }> {
  if (source.kind === 'files') {
    const [name = ''] = source.paths
    throw noSource(name, 'PostgreSQL reads no files')
  }
  const name = source.path.map(quoted).join('.')
  const [database] = source.path
  const rows = await query(RELATION, [source.path.slice(-2).map(quoted).join('.')], name)
  const [oid, own, encoding, version] = rows[0] ?? []
  if (Number(version) < OLDEST) throw noSource(name, 'the server is older than PostgreSQL 14')
  if (source.path.length > 2 && database !== own) throw noSource(name, 'it is not in the database of the address')
  if (oid === null || oid === undefined) throw noSource(name, 'there is no such table')
  if (encoding !== 'UTF8') throw noSource(name, `its texts are ${encoding ?? 'of no known encoding'}, not UTF8`)
  return { name, oid }
}

/** Returns the columns of a table in order. `dialects/postgres.ts` parses the notation of their types. */
export async function columnsOf(source: ForeignSource, query: PostgresQuery): Promise<readonly ForeignColumn[]> {
  const { name, oid } = await relationOf(source, query)
  const rows = await query(COLUMNS, [oid], name)
  return rows.map(([column, type, isNullable]) => ({
    name: column ?? '',
    type: type ?? '',
    isNullable: isNullable === 't',
    ...(type?.includes(' COLLATE ') === true ? { isCollated: true } : {}),
  }))
}

/** Returns the columns of a table with a trigram index over all rows. */
export async function wordIndexesOf(
  source: ForeignSource,
  query: PostgresQuery,
): Promise<readonly PostgresWordIndex[]> {
  const { name, oid } = await relationOf(source, query)
  const rows = await query(WORD_INDEXES, [oid], name)
  return rows.map(([column]) => ({ column: column ?? '', kind: 'trigram' }))
}
