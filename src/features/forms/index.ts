export { newShortcut } from './new-shortcut.ts'
export {
  type AnsweredMail,
  type ComposerRequest,
  type MailSubject,
  openComposer,
  useComposer,
} from './open-composer.ts'
export { type FormName, type Linked, openForm, useOpenForm } from './open-form.ts'
