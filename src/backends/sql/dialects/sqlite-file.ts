import { defineDialect, template } from '../dialect.ts'
import { sqlite } from './sqlite.ts'

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
    length: template('length({*})'),
    'octet-length': template('octet_length({*})'),
    'host-member': template('sluice_member({*})'),
  },
})
