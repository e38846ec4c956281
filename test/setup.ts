import { configureGlobal } from 'fast-check'

/** A test that fails, fails again: properties draw the same cases each time. The fuzzers are where new ones are drawn. */
configureGlobal({ seed: Number(process.env['SLUICE_SEED'] ?? 20_261_121) })
