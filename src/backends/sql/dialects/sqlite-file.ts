import { defineDialect, template } from '../dialect.ts'
import { sqlite } from './sqlite.ts'

const DIGIT = '[0-9]'

/**
 * Tests whether a text may rank as a number, duration, size or time: by characters other than digits, the beginnings of
 * dates, of numbers in other bases, of `inf`. Comparisons come first, since each function call takes time. A text with
 * an `a` or a `c` can rank only as a hexadecimal number.
 */
const MAY_RANK = `(({0} < 'J' OR {0} >= 'i' AND {0} < 'j')
  AND ({0} >= 'I' OR {0} < ':' AND ({0} < '1' OR instr({0}, 'a') = 0 AND instr({0}, 'c') = 0))
  AND {0} GLOB '[0-9+.iI-]*' AND ({0} NOT GLOB '*[^0-9+._eEnsmhdwyKMGTiB\u00b5\u03bc-]*'
  OR {0} GLOB '${DIGIT.repeat(4)}-${DIGIT.repeat(2)}-${DIGIT.repeat(2)}[Tt ]*' OR {0} GLOB '0[xXbBoO]*'
  OR {0} GLOB '[+-]0[xXbBoO]*' OR {0} GLOB '[iI]*' OR {0} GLOB '[+-][iI]*'))`

/** Tables of any schema in a SQLite file. */
export const sqliteFile = defineDialect(sqlite, {
  name: 'sqlite',
  functions: {
    /** Encodes a value as our own tables do. */
    'host-native': template('sluice_native({*})'),
    'host-bool': template('sluice_bool({*})'),
    /** Converts a time in some unit to nanoseconds since 1970. */
    'host-unix': template('sluice_unix({*})'),
    /** Combines members of JSON columns as undeclared fields. */
    'host-rest': template('sluice_rest({*})'),
    /**
     * Whether a text contains more than ASCII, or a value is no text, so that a full-text table tokenizes it
     * differently.
     */
    'cuts-otherwise': template("(length({0}) <> octet_length({0}) OR typeof({0}) NOT IN ('text', 'null'))"),
    // An index without a collation can still be used.
    uncollated: template('{0} COLLATE BINARY'),
    length: template('length({*})'),
    'octet-length': template('octet_length({*})'),
    // For ASCII texts, regardless of case.
    like: template(String.raw`{0} LIKE {1} ESCAPE '\'`),
    glob: template('{0} GLOB {1}'),
    'after-blank': template("' ' || {0}"),
    'before-blank': template("{0} || ' '"),
    /** Like `host-sort-key`, for a text that does not rank as another type. */
    'text-sort-key': template("CAST('0' || {0} AS BLOB)"),
    /** Whether a text may rank as a number, a duration, a size or a time; true for few others. */
    'may-rank': template(MAY_RANK),
    'host-member': template('sluice_member({*})'),
  },
  aggregates: { AVG: template('avg({*})') },
})
