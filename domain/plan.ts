/** The one plan there is. It is shown, not billed. */
export const plan = {
  name: 'Pro Plan',
  price: '$29',
  period: 'per month',
  features: [
    'Unlimited Contacts',
    'Advanced Reports',
    'Task Management',
    'Pipeline Automation',
    'Priority Support',
    'Data Export',
  ],
} as const
