import { defineDialect, template } from '../dialect.ts'
import { generic } from './generic.ts'

export const sqlite = defineDialect(generic, {
  name: 'sqlite',
  parameter: (position) => `?${position}`,
  nullIs: 'smallest',
  nullSafe: ['IS', 'IS NOT'],
  arrayValues: template('(SELECT value FROM json_each({0}))'),
  functions: {
    'contains-text': template('instr({0}, {1}) > 0'),
    'matches-words': template('{0} MATCH {1}'),
    // Integer division cuts towards zero; the remainder is made positive first.
    'floor-time': template('{0} - (({0} % {1}) + {1}) % {1}'),
  },
})
