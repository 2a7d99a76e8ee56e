import { plan } from '#domain/plan.ts'
import { LegalPage } from './legal-page.tsx'

export function TermsPage() {
  return (
    <LegalPage title="Terms" since="November 15, 2026">
      <p>
        These are the rules between you and us for using Solo CRM. They are short, because the
        product is.
      </p>
      <h2>Trial and price</h2>
      <p>
        You can try Solo CRM for 14 days without a credit card. After that the {plan.name} costs{' '}
        {plan.price} {plan.period}. You can cancel anytime; it ends with the month that is paid.
      </p>
      <h2>Your account</h2>
      <p>
        An account is for one person. Choose a password that you use nowhere else, and tell us when
        you think that somebody knows it.
      </p>
      <h2>Your data</h2>
      <p>
        What you enter is yours. We may store and process it only so that the product works for you.
        You may take it with you at any time, as a file that other programs can read. You are the
        one who decides whose data you keep, and who has to be allowed to keep it.
      </p>
      <h2>What is not allowed</h2>
      <ul>
        <li>Using Solo CRM to send mail that people have not asked for.</li>
        <li>Trying to reach the data of others, or to keep the service from working.</li>
        <li>Selling access to your account.</li>
      </ul>
      <h2>What we promise</h2>
      <p>
        We do our best to keep Solo CRM running and your data safe, and we tell you when something
        went wrong. We cannot promise that it never will. Save a backup now and then; it is one
        click.
      </p>
      <h2>Changes</h2>
      <p>
        When these terms change, we say so in the app before it happens. If you do not agree, take
        your data along and leave; we will not hold you.
      </p>
    </LegalPage>
  )
}
