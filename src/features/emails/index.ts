export { SendEmailDialog } from './send-email.tsx'
