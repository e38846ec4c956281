export {
  MAX_ROUNDS,
  STATES,
  backtest,
  roundsOf,
  type BacktestOptions,
  type BacktestReport,
  type BacktestTransition,
} from './backtest.ts'
