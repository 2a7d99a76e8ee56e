export { DealCurrency } from './deal-currency.tsx'
export { DealRate } from './deal-rate.tsx'
export { MoneySettings } from './money-settings.tsx'
export { UncountedNotice } from './uncounted-notice.tsx'
