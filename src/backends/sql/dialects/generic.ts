import { template, type Dialect } from '../dialect.ts'

const whole = (text: string): string => `CAST(${text} AS INTEGER)`
const FIRST = `({0} - ${whole('{0}')}) * 68719476736.0`

/**
 * The parts of a dialect that most databases share. Includes templates of host functions (code of Sluice), although
 * only SQLite in this process can call these.
 */
export const generic: Dialect = {
  name: 'generic',
  identifier: (name) => `"${name.replaceAll('"', '""')}"`,
  parameter: (position) => `$${position}`,
  nullIs: 'largest',
  nullSafe: ['IS NOT DISTINCT FROM', 'IS DISTINCT FROM'],
  maxParameters: 30_000,
  arrayFrom: 500,
  arrayValues: template('(SELECT value FROM json_array_elements({0}))'),
  functions: {
    'null-if-empty': template(`NULLIF({0}, '')`),
    'contains-text': template('position({1} IN {0}) > 0'),
    'lower-ascii': template('lower({0})'),
    'matches-words': template('matches({0}, {1})'),
    'is-true': template('({0}) IS TRUE'),
    /** Rounds the time `{0}` down to a multiple of the width `{1}`, counted from 1970. Both are whole numbers. */
    'floor-time': template('floor({0} / {1}) * {1}'),
    'ns-of-s': template('{0} * 1000000000'),
    'ns-of-ms': template('{0} * 1000000'),
    'ns-of-us': template('{0} * 1000'),
    plus: template('{0} + {1}'),
    subtract: template('{0} - {1}'),
    checkpoint: template('({0} & 1023) <> 0 OR sluice_check()'),
    modulo: template('({0} % {1})'),
    /** Upper and lower 32 bits of a whole number. */
    'high-word': template('({0} >> 32)'),
    'low-word': template('({0} & 4294967295)'),
    /** Split a number exactly into an integer part and two parts of 36 fraction bits each. */
    'whole-part': template(whole('{0}')),
    'first-limb': template(whole(FIRST)),
    'second-limb': template(whole(`(${FIRST} - ${whole(FIRST)}) * 68719476736.0`)),
    'row-number': template('row_number()'),
    'joined-texts': template('concat({*})'),
    'without-first': template('substr({0}, 2)'),
    'first-present': template('coalesce({*})'),
    'host-join-key': template('sluice_join_key({*})'),
    'host-test': template('sluice_test({*})'),
    'host-expr': template('sluice_expr({*})'),
    'host-field': template('sluice_field({*})'),
    'host-any-field': template('sluice_any_field({*})'),
    'host-sort-key': template('sluice_sort_key({*})'),
    'host-sort-key-desc': template('sluice_sort_key_desc({*})'),
    'host-group-key': template('sluice_group_key({*})'),
    'host-group-order': template('sluice_group_order({*})'),
    'host-time': template('sluice_time({*})'),
    'host-exact-sum': template('sluice_exact_sum({*})'),
    'host-exact-mean': template('sluice_exact_mean({*})'),
    'host-tick': template('sluice_tick({*})'),
    'host-final': template('sluice_final({*})'),
  },
  aggregates: {
    COUNT: template('count({*})'),
    SUM: template('sum({*})'),
    MIN: template('min({*})'),
    MAX: template('max({*})'),
    'host-stats': template('sluice_stats({*})'),
  },
  cannot: {
    apply: 'row functions read and write fields by rules that SQL has no words for',
    'table-apply': 'table functions see whole rows of any shape',
    values: 'rows written in the query never touch stored data',
  },
}
