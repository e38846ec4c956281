import { defineDialect, identifiersWithout, template } from '../dialect.ts'
import { generic } from './generic.ts'
import { MAX_NAMED_PARAMETERS } from '../tuning.ts'

export const sqlite = defineDialect(generic, {
  name: 'sqlite',
  identifier: identifiersWithout(
    'abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast ' +
      'check collate column commit conflict constraint create cross current current_date current_time current_timestamp ' +
      'database default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive ' +
      'exists explain fail filter first following for foreign from full generated glob group groups having if ignore ' +
      'immediate in index indexed initially inner insert instead intersect into is isnull join key last left like limit match ' +
      'materialized natural no not nothing notnull null nulls of offset on or order others outer over partition plan pragma ' +
      'preceding primary query raise range recursive references regexp reindex release rename replace restrict returning ' +
      'right rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded ' +
      'union unique update using vacuum values view virtual when where window with within without',
  ),
  parameter: (position, { name }) => (position <= MAX_NAMED_PARAMETERS ? `:${name}` : `?${position}`),
  nullIs: 'smallest',
  nullSafe: ['IS', 'IS NOT'],
  arrayValues: template('(SELECT value FROM json_each({0}))'),
  functions: {
    'contains-text': template('instr({0}, {1}) > 0'),
    'matches-words': template('{0} MATCH {1}'),
    // SQLite's remainder has the sign of the time, so it is made non-negative before it is subtracted.
    'floor-time': template('{0} - (({0} % {1}) + {1}) % {1}'),
  },
})
