/**
 * Module hook: `node --import ./test/stress/small-sizes/register.ts …` replaces constants with their small values in
 * all modules that are loaded later, in worker threads too.
 */
import { registerHooks } from 'node:module'
import { withSmallSizes } from './small.ts'

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const { source } = loaded
    if (source === undefined || source === null) return loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
    return { ...loaded, source: withSmallSizes(url, text) }
  },
})
