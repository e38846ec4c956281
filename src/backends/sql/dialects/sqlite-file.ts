import { defineDialect, template } from '../dialect.ts'
import { sqlite } from './sqlite.ts'

const DIGIT = '[0-9]'

/**
 * SQL that tests whether a string may sort as a number, duration, size or time: whether the first characters are
 * digits, signs, or the start of a date, a hexadecimal number or `inf`. Comparisons come first, because function calls
 * are slower. A string with an `a` or a `c` can only be a hexadecimal number.
 */
const MAY_RANK = `(({0} < 'J' OR {0} >= 'i' AND {0} < 'j')
  AND ({0} >= 'I' OR {0} < ':' AND ({0} < '1' OR instr({0}, 'a') = 0 AND instr({0}, 'c') = 0))
  AND {0} GLOB '[0-9+.iI-]*' AND ({0} NOT GLOB '*[^0-9+._eEnsmhdwyKMGTiB\u00b5\u03bc-]*'
  OR {0} GLOB '${DIGIT.repeat(4)}-${DIGIT.repeat(2)}-${DIGIT.repeat(2)}[Tt ]*' OR {0} GLOB '0[xXbBoO]*'
  OR {0} GLOB '[+-]0[xXbBoO]*' OR {0} GLOB '[iI]*' OR {0} GLOB '[+-][iI]*'))`

/** The dialect for tables of any schema in a SQLite file. */
export const sqliteFile = defineDialect(sqlite, {
  name: 'sqlite',
  functions: {
    /** Host function: encodes a value in the form in which Sluice's own tables store it. */
    'host-native': template('sluice_native({*})'),
    'host-bool': template('sluice_bool({*})'),
    /** Host function: converts a time in a given unit to nanoseconds since 1970. */
    'host-unix': template('sluice_unix({*})'),
    /** Host function: combines the members of JSON columns into the text of undeclared fields. */
    'host-rest': template('sluice_rest({*})'),
    /**
     * Tests whether a full-text table may tokenize a value differently from Sluice, because it has characters beyond
     * ASCII or is not a string.
     */
    'cuts-otherwise': template("(length({0}) <> octet_length({0}) OR typeof({0}) NOT IN ('text', 'null'))"),
    // An explicit BINARY collation matches an index with the default collation, so the index can still be used.
    uncollated: template('{0} COLLATE BINARY'),
    length: template('length({*})'),
    'octet-length': template('octet_length({*})'),
    // Used for ASCII strings only: SQLite's LIKE ignores the case of ASCII letters.
    like: template(String.raw`{0} LIKE {1} ESCAPE '\'`),
    glob: template('{0} GLOB {1}'),
    'after-blank': template("' ' || {0}"),
    'before-blank': template("{0} || ' '"),
    /**
     * Returns the sort key that `host-sort-key` would return, for strings that do not sort as numbers or times. No host
     * function is called.
     */
    'text-sort-key': template("CAST('0' || {0} AS BLOB)"),
    /** Tests whether a string may sort as a number, duration, size or time. True for few other strings. */
    'may-rank': template(MAY_RANK),
    'host-member': template('sluice_member({*})'),
  },
  aggregates: { AVG: template('avg({*})') },
})
