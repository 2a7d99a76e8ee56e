export { type Linked, openForm, useOpenForm } from './open-form.ts'
