import type { z } from 'zod'
import { controlOf, fieldsOfForm, type LeadField, type leadFormSchema } from '#domain/lead-form.ts'
import { useContactFields } from './contact-fields.ts'
import classes from './leads.module.css'

type FormPreviewProps = { values: z.input<typeof leadFormSchema> }

/** The form as visitors see it. */
export function FormPreview({ values }: FormPreviewProps) {
  const own = useContactFields()
  const { title, name, intro, fields } = values
  return (
    <section className={classes.preview} aria-label="Preview">
      <div className={classes.quiet}>Preview</div>
      <div className={classes.page_of_form}>
        <div className={classes.heading}>
          <bdi>{title.trim() || name.trim() || 'Get in touch'}</bdi>
        </div>
        {intro.trim() && <p className={classes.intro}>{intro}</p>}
        {fieldsOfForm({ fields, own }).map((field) => (
          <PreviewField key={field.name} field={field} />
        ))}
        <span className={classes.send}>Send</span>
      </div>
    </section>
  )
}

function PreviewField({ field }: { field: LeadField }) {
  const control = controlOf(field)
  return (
    <div>
      <div className={classes.label}>
        <bdi>{field.label}</bdi>
        {!field.is_required && <span className={classes.quiet}> (optional)</span>}
      </div>
      {control.control === 'checkboxes' ? (
        control.options.map(({ value, label }) => (
          <div key={value} className={classes.option}>
            <span className={classes.tick} /> <bdi>{label}</bdi>
          </div>
        ))
      ) : (
        <div className={control.control === 'textarea' ? classes.area : classes.box} />
      )}
    </div>
  )
}
