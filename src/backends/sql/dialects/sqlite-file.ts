import { defineDialect, template } from '../dialect.ts'
import { sqlite } from './sqlite.ts'

const DIGIT = '[0-9]'

/**
 * Numbers, durations and sizes have few other characters; the beginnings of days, of numbers in other bases, of `inf`. Each
 * call of a function counts, so comparisons first: what has an `a` or a `c` ranks as a number in base 16 at most.
 */
const MAY_RANK = `(({0} < 'J' OR {0} >= 'i' AND {0} < 'j')
  AND ({0} >= 'I' OR {0} < ':' AND ({0} < '1' OR instr({0}, 'a') = 0 AND instr({0}, 'c') = 0))
  AND {0} GLOB '[0-9+.iI-]*' AND ({0} NOT GLOB '*[^0-9+._eEnsmhdwyKMGTiB\u00b5\u03bc-]*'
  OR {0} GLOB '${DIGIT.repeat(4)}-${DIGIT.repeat(2)}-${DIGIT.repeat(2)}[Tt ]*' OR {0} GLOB '0[xXbBoO]*'
  OR {0} GLOB '[+-]0[xXbBoO]*' OR {0} GLOB '[iI]*' OR {0} GLOB '[+-][iI]*'))`

/** Tables of anyone's making in a SQLite file. */
export const sqliteFile = defineDialect(sqlite, {
  name: 'sqlite',
  functions: {
    /** A value as ours are encoded. */
    'host-native': template('sluice_native({*})'),
    'host-bool': template('sluice_bool({*})'),
    /** Nanoseconds since the epoch of a time in some unit. */
    'host-unix': template('sluice_unix({*})'),
    /** Members of JSON columns as undeclared fields. */
    'host-rest': template('sluice_rest({*})'),
    /** Whether a text has more than ASCII, or a value is no text, so that a full-text table cuts it otherwise than we do. */
    'cuts-otherwise': template("(length({0}) <> octet_length({0}) OR typeof({0}) NOT IN ('text', 'null'))"),
    // An index without a collation serves all the same.
    uncollated: template('{0} COLLATE BINARY'),
    length: template('length({*})'),
    'octet-length': template('octet_length({*})'),
    // Of texts of ASCII, regardless of case.
    like: template(String.raw`{0} LIKE {1} ESCAPE '\'`),
    glob: template('{0} GLOB {1}'),
    'after-blank': template("' ' || {0}"),
    'before-blank': template("{0} || ' '"),
    /** As `host-sort-key` of a text that is just a text. */
    'text-sort-key': template("CAST('0' || {0} AS BLOB)"),
    /** Whether a text may rank as a number, a duration, a size or a time; of few that do not. */
    'may-rank': template(MAY_RANK),
    'host-member': template('sluice_member({*})'),
  },
  aggregates: { AVG: template('avg({*})') },
})
