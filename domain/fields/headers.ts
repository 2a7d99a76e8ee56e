import type { companyFields } from './companies.ts'
import type { contactFields } from './contacts.ts'
import type { dealFields } from './deals.ts'
import type { AddressPart } from './entries.ts'
import type { Fields } from './field.ts'

/** The languages of the headers that are known. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'sv' | 'pl' | 'ja'

/** The names of one thing in each language, parted by commas, the surest first. */
export type Names = Partial<Record<Language, string>>

type Headers<F extends Fields> = { [Name in keyof F]?: Names }

/*
 * What other programs call our fields; what we call a field ourselves need not be listed. Beside the definitions,
 * because only an import needs to load it. Headers are compared as `foldHeader` folds them: case, accents, spaces,
 * signs and numbers do not count, so that `E-mail 2 - Value`, `FIRSTNAME` and `*|FNAME|*` need no line of their own.
 *
 * Words that mean different things:
 * - In two kinds of records: each kind has its own list. `Title` is the role of a contact and the name of a deal,
 *   `Estado` the status of a deal and the region of a company; of a contact it may be either, so it is not listed.
 * - In two languages: a file is read in English and in the one other language that knows most of its headers. So the
 *   Swedish `Titel` is a role, and the German one, which is `Dr.`, is none.
 * - In one language: a name with a `?` counts only where no other column names the field, and says nothing of what
 *   the file holds. `Name`, `Nom`, `Nombre` may be a part of a name or all of it: `mapColumns` looks at the values.
 * - A client or a customer may be a person or a company: neither is listed for deals.
 */

/** Other words before or after an e-mail address or a phone number: whose it is, or which of several. */
export const variants: Names = {
  en: 'Primary, Main, Work, Business, Office, Company, Mobile, Direct, Personal, Private, Home, Other, Secondary, Second, Alternate, Alternative, Additional, Preferred',
  de: 'geschäftlich, Geschäft, Arbeit, Büro, dienstlich, Firma, mobil, privat, weitere, andere, sonstige, Haupt, primäre, sekundäre, zweite',
  fr: 'professionnel, professionnelle, pro, bureau, travail, mobile, portable, personnel, personnelle, domicile, privé, autre, principal, principale, secondaire',
  es: 'trabajo, del trabajo, laboral, oficina, empresa, móvil, celular, particular, personal, casa, otro, principal, secundario, alternativo',
  it: 'lavoro, ufficio, aziendale, cellulare, personale, casa, abitazione, altro, altra, principale, secondario, secondaria',
  pt: 'trabalho, comercial, profissional, celular, telemóvel, pessoal, casa, residencial, outro, principal, secundário, alternativo',
  nl: 'werk, zakelijk, kantoor, mobiel, privé, thuis, overig, ander, primair, secundair',
  sv: 'arbete, jobb, kontor, mobil, privat, hem, annan, övrig, primär, sekundär',
  pl: 'służbowy, firmowy, praca, biuro, komórkowy, prywatny, domowy, dom, inny, główny, dodatkowy',
  ja: '仕事, 勤務先, 会社, 携帯, 個人, 自宅, その他',
}

/** Which of several a postal address is, beside the words above. */
export const placeVariants: Names = {
  en: 'Mailing, Billing, Shipping, Delivery, Postal, Residential, Permanent, Default, Address, Default Address, Mail Address, Mailing Address, Billing Address, Shipping Address, Home Address, Work Address, Business Address, Other Address, Primary Address, of Address, of Postal Address, PO, SA',
  de: 'Firmen, Rechnungs, Liefer, Post',
  fr: 'de facturation, de livraison, postale',
  es: 'de facturación, de envío, postal',
  it: 'di fatturazione, di spedizione, postale',
  pt: 'de cobrança, de entrega, postal',
  nl: 'factuur, bezorg, post',
  sv: 'faktura, leverans, post',
  pl: 'rozliczeniowy, dostawy, korespondencyjny',
  ja: '請求先, 配送先',
}

/** The labels of entries, by the words of headers that say them. */
export const labelWords = {
  WhatsApp: 'WhatsApp',
  Fax: 'Fax, Telefax, Télécopie, Faks, ファックス',
  mobile:
    'Mobile, Cell, mobil, Handy, portable, móvil, celular, cellulare, telemóvel, mobiel, mobiele, komórkowy, Komórka, 携帯',
  work: 'Work, Business, Office, Company, geschäftlich, Geschäft, Arbeit, Büro, dienstlich, Firma, Firmen, professionnel, professionnelle, pro, bureau, travail, trabajo, laboral, oficina, empresa, lavoro, ufficio, aziendale, trabalho, comercial, profissional, werk, zakelijk, kantoor, arbete, jobb, kontor, służbowy, firmowy, praca, biuro, 仕事, 勤務先, 会社',
  home: 'Home, Personal, Private, Residential, privat, personnel, personnelle, domicile, privé, particular, casa, personale, abitazione, pessoal, residencial, thuis, hem, prywatny, domowy, dom, 個人, 自宅',
  other:
    'Other, weitere, andere, sonstige, autre, otro, altro, altra, outro, overig, ander, annan, övrig, inny, その他',
  // Which of several it is, says its place.
  '': 'Primary, Main, Secondary, Second, Alternate, Alternative, Additional, Preferred, Default, Haupt, primäre, sekundäre, zweite, principal, principale, secondaire, secundario, alternativo, secondario, secondaria, secundário, primair, secundair, primär, sekundär, główny, dodatkowy',
}

/** What programs put before the names of all columns of a kind: `Person - Email`, `dealstage`, `Billing City`. */
export const prefixes = {
  contacts:
    'Person, Contact, Primary Contact, Primary Person, Lead, Customer, Client, Subscriber, Kontakt, Persona, Personne, Contacto, Contatto, Contato, Pessoa, Persoon, Osoba',
  companies:
    'Organization, Organisation, Company, Account, Business, Billing, Mailing, Firmen, Unternehmens, Firma, Rechnungs',
  deals:
    'Deal, Opportunity, Potential, Geschäft, Affaire, Opportunité, Negocio, Oportunidad, Affare, Opportunità, Oportunidade, Affär',
}

const createdNames: Names = {
  en: 'Create Date, Created Date, Date Created, Created, Created Time, Created On, Creation Date, Creation Time, Date Added, Added On, Add Time, Added Time, Date Entered',
  de: 'Erstellt am, Erstellt, Erstellungsdatum, Erstelldatum, Angelegt am, Anlagedatum, Hinzugefügt am',
  fr: 'Date de création, Créé le, Date d’ajout, Ajouté le',
  es: 'Fecha de creación, Creado el, Creado, Fecha de alta',
  it: 'Data di creazione, Data creazione, Creato il, Data inserimento',
  pt: 'Data de criação, Criado em, Data de cadastro',
  nl: 'Aangemaakt op, Aangemaakt, Aanmaakdatum, Datum aangemaakt',
  sv: 'Skapad, Skapad den, Skapat, Skapad datum, Skapandedatum',
  pl: 'Data utworzenia, Utworzono, Data dodania',
  ja: '作成日, 作成日時, 登録日, 登録日時',
}

const tagNames: Names = {
  en: 'Tag, Labels, Categories, Keywords, Groups, Group Membership, Label?, Category?, Group?',
  de: 'Schlagwörter, Schlagworte, Stichwörter, Kategorien, Gruppen, Etiketten, Kategorie?, Gruppe?',
  fr: 'Étiquettes, Catégories, Mots-clés, Libellés, Groupes, Étiquette, Catégorie?, Groupe?',
  es: 'Etiquetas, Etiqueta, Categorías, Palabras clave, Grupos, Categoría?, Grupo?',
  it: 'Etichette, Etichetta, Categorie, Parole chiave, Gruppi, Categoria?, Gruppo?',
  pt: 'Etiquetas, Etiqueta, Marcadores, Categorias, Palavras-chave, Grupos, Categoria?, Grupo?',
  nl: 'Labels, Trefwoorden, Categorieën, Groepen, Categorie?, Groep?',
  sv: 'Taggar, Etiketter, Kategorier, Nyckelord, Grupper, Kategori?, Grupp?',
  pl: 'Tagi, Etykiety, Kategorie, Słowa kluczowe, Grupy, Kategoria?, Grupa?',
  ja: 'タグ, ラベル, カテゴリ, カテゴリー, グループ, 分類?',
}

const companyNames: Names = {
  en: 'Company, Company Name, Associated Company, Primary Company, Current Company, Organization, Organization Name, Organisation, Organisation Name, Account Name, Account, Employer, Business Name, Business',
  de: 'Firma, Firmenname, Unternehmen, Unternehmensname, Organisation, Arbeitgeber, Gesellschaft',
  fr: 'Société, Entreprise, Nom de la société, Nom de l’entreprise, Organisation, Raison sociale, Compte, Nom du compte, Employeur',
  es: 'Empresa, Compañía, Nombre de la empresa, Nombre de la compañía, Organización, Razón social, Cuenta, Nombre de la cuenta',
  it: 'Azienda, Società, Nome azienda, Nome società, Ditta, Organizzazione, Ragione sociale, Nome account',
  pt: 'Empresa, Nome da empresa, Organização, Companhia, Razão social, Conta, Nome da conta',
  nl: 'Bedrijf, Bedrijfsnaam, Organisatie, Onderneming, Werkgever, Accountnaam',
  sv: 'Företag, Företagsnamn, Organisation, Bolag, Arbetsgivare',
  pl: 'Firma, Nazwa firmy, Organizacja, Nazwa organizacji, Przedsiębiorstwo',
  ja: '会社名, 会社, 企業名, 勤務先, 社名, 法人名, 組織名, 組織',
}

/** The name of a person beside other records. */
const personNames: Names = {
  en: 'Contact Name, Contact Person, Person Name, Primary Contact, Associated Contact, Contact, Person',
  de: 'Ansprechpartner, Kontaktperson, Kontaktname, Kontakt',
  fr: 'Personne à contacter, Nom du contact, Interlocuteur',
  es: 'Persona de contacto, Nombre del contacto, Contacto',
  it: 'Referente, Persona di contatto, Nome contatto, Contatto',
  pt: 'Pessoa de contato, Pessoa de contacto, Nome do contato, Contato, Contacto',
  nl: 'Contactpersoon, Contactnaam',
  sv: 'Kontaktperson, Kontaktnamn, Kontakt',
  pl: 'Osoba kontaktowa, Osoba do kontaktu, Kontakt',
  ja: '担当者名, 担当者, 連絡先, 取引先責任者',
}

const firstNames: Names = {
  en: 'First Name, Given Name, Forename, FName, First',
  de: 'Vorname, Rufname',
  fr: 'Prénom',
  es: 'Nombre de pila, Primer nombre',
  it: 'Nome di battesimo',
  pt: 'Primeiro nome, Nome próprio',
  nl: 'Voornaam',
  sv: 'Förnamn',
  pl: 'Imię',
  ja: '名',
}

const lastNames: Names = {
  en: 'Last Name, Family Name, Surname, LName, Last',
  de: 'Nachname, Familienname, Zuname',
  fr: 'Nom de famille',
  es: 'Apellidos, Apellido',
  it: 'Cognome',
  pt: 'Sobrenome, Apelido, Último nome',
  nl: 'Achternaam, Familienaam',
  sv: 'Efternamn',
  pl: 'Nazwisko',
  ja: '姓, 苗字',
}

const emails: Names = {
  en: 'Email, Email Address, Email Value, Mail',
  de: 'E-Mail-Adresse, Mailadresse, Mail',
  fr: 'Adresse e-mail, Courriel, Adresse de messagerie, Adresse électronique, Adresse mail, Mél',
  es: 'Correo electrónico, Correo, Dirección de correo electrónico, Dirección de correo',
  it: 'Indirizzo e-mail, Posta elettronica, Indirizzo di posta elettronica, Indirizzo posta elettronica',
  pt: 'Endereço de e-mail, Correio eletrónico, Correio eletrônico, Endereço de correio eletrónico',
  nl: 'E-mailadres, Mailadres',
  sv: 'E-post, E-postadress, Mejl',
  pl: 'Adres e-mail, Poczta elektroniczna',
  ja: 'メールアドレス, メール, Eメール, 電子メール, 電子メールアドレス',
}

const phones: Names = {
  en: 'Phone, Phone Number, Phone Value, Phone No, Telephone, Telephone Number, Tel, Mobile, Mobile Phone, Mobile Number, Mobile Phone Number, Cell, Cell Phone, Cell Number, Company Main Phone, Contact Number, Direct Dial, DDI, DDI Number, SMS, WhatsApp',
  de: 'Telefon, Telefonnummer, Tel, Mobiltelefon, Mobil, Mobilnummer, Handy, Handynummer, Rufnummer, Festnetz',
  fr: 'Téléphone, Numéro de téléphone, N° de téléphone, Tél, Portable, Téléphone portable',
  es: 'Teléfono, Número de teléfono, Tel, Móvil, Celular, Teléfono móvil, Número de móvil',
  it: 'Telefono, Numero di telefono, Tel, Cellulare, Telefono cellulare',
  pt: 'Telefone, Número de telefone, Tel, Celular, Telemóvel',
  nl: 'Telefoon, Telefoonnummer, Tel, Mobiel, Mobiel nummer, Mobiele telefoon',
  sv: 'Telefon, Telefonnummer, Tel, Mobil, Mobilnummer, Mobiltelefon',
  pl: 'Telefon, Numer telefonu, Nr telefonu, Tel, Komórka, Telefon komórkowy',
  ja: '電話番号, 電話, 携帯電話, 携帯電話番号, 携帯番号, 携帯',
}

/** The parts of a postal address. What may be a state or a status, such as `Estado`, is not listed. */
export const addressHeaders: Record<AddressPart, Names> = {
  street: {
    en: 'Address, Street, Street Address, Address Line, Address Street, Extended Address, PO Box, Apartment/suite no, House number, Street/road name, District/sublocality',
    de: 'Adresse, Anschrift, Straße, Straße und Hausnummer, Postfach',
    fr: 'Adresse, Adresse postale, Rue',
    es: 'Dirección, Dirección postal, Calle, Domicilio',
    it: 'Indirizzo',
    pt: 'Endereço, Morada, Rua, Logradouro',
    nl: 'Adres, Straat, Straatnaam',
    sv: 'Adress, Gata, Gatuadress',
    pl: 'Adres, Ulica',
    ja: '住所, 番地',
  },
  postal_code: {
    en: 'Zip, Zip Code, Zip/Postal Code, Postal Code, Postcode, Post Code',
    de: 'PLZ, Postleitzahl',
    fr: 'Code postal, CP',
    es: 'Código postal',
    it: 'CAP, Codice postale',
    pt: 'CEP, Código postal',
    nl: 'Postcode',
    sv: 'Postnummer',
    pl: 'Kod pocztowy',
    ja: '郵便番号',
  },
  city: {
    en: 'City, Town, City/Town, City/town/village/locality',
    de: 'Ort, Stadt, Wohnort',
    fr: 'Ville',
    es: 'Ciudad, Localidad, Población',
    it: 'Città, Località, Comune',
    pt: 'Cidade, Localidade',
    nl: 'Plaats, Stad, Woonplaats',
    sv: 'Ort, Postort, Stad',
    pl: 'Miasto, Miejscowość',
    ja: '市区町村',
  },
  region: {
    en: 'State, State/Region, State/Province, Province, Region, State Code, Province Code, County, State/county',
    de: 'Bundesland, Region',
    fr: 'Région, Département',
    es: 'Provincia, Región',
    it: 'Provincia, Regione',
    pt: 'Distrito',
    nl: 'Provincie',
    sv: 'Län',
    pl: 'Województwo',
    ja: '都道府県',
  },
  country: {
    en: 'Country, Country/Region, Country Code',
    de: 'Land',
    fr: 'Pays',
    es: 'País',
    it: 'Paese, Nazione',
    pt: 'País',
    nl: 'Land',
    sv: 'Land',
    pl: 'Kraj',
    ja: '国',
  },
}

/** An address in one text, which may stand beside its parts. */
export const wholeAddress =
  'Formatted, Formatted Address, Full Address, Address Formatted, Full/combined address'

/** What the letters before the parts of an address stand for, in the files of Xero. */
export const placeLabels: Record<string, string> = { PO: 'Postal', SA: 'Street' }

function allNames(lists: Names[], more: Names): Names {
  const all: Names = { ...more }
  for (const [key, list] of lists.flatMap((names) => Object.entries(names))) {
    // The keys of the names are the languages.
    const language = key as Language
    all[language] = all[language] ? `${all[language]}, ${list}` : list
  }
  return all
}

export const contactHeaders: Headers<typeof contactFields> = {
  first_name: firstNames,
  last_name: lastNames,
  middle_name: {
    en: 'Middle, Middle Names, Additional Name, Additional Names, MNAME',
    de: 'Zweiter Vorname, Weitere Vornamen',
    fr: 'Deuxième prénom, Second prénom',
    es: 'Segundo nombre',
    it: 'Secondo nome',
    pt: 'Nome do meio',
    nl: 'Tweede naam, Tweede voornaam',
    sv: 'Mellannamn',
    pl: 'Drugie imię',
    ja: 'ミドルネーム',
  },
  nickname: {
    en: 'Nick Name, Preferred Name, Known As',
    de: 'Spitzname',
    fr: 'Surnom',
    es: 'Apodo, Alias',
    it: 'Soprannome',
    pt: 'Alcunha',
    nl: 'Bijnaam, Roepnaam',
    sv: 'Smeknamn',
    pl: 'Pseudonim',
    ja: 'ニックネーム',
  },
  full_name: {
    en: 'Name?, Display Name, Contact Name, Person Name, Contact Person?, Contact?, Person?, Primary Contact?',
    de: 'Vollständiger Name, Anzeigename, Ansprechpartner, Kontaktperson, Kontaktname, Kontakt?',
    fr: 'Nom complet, Nom et prénom, Prénom et nom, Nom du contact, Nom?',
    es: 'Nombre completo, Nombre y apellidos, Nombre del contacto, Persona de contacto, Nombre?, Contacto?',
    it: 'Nome completo, Nome e cognome, Nominativo, Referente, Nome?, Contatto?',
    pt: 'Nome completo, Nome do contato, Pessoa de contato, Nome?, Contato?, Contacto?',
    nl: 'Volledige naam, Contactpersoon, Contactnaam, Naam?',
    sv: 'Fullständigt namn, Kontaktperson, Kontaktnamn, Namn?, Kontakt?',
    pl: 'Imię i nazwisko, Osoba kontaktowa, Kontakt?',
    ja: '氏名, 名前, お名前, 担当者名, 担当者?',
  },
  email: emails,
  phone_number: phones,
  role_title: {
    // `Title` is the form of address in some files, but those have a job title too.
    en: 'Role, Job Title, Position, Organization Title, Job Role, Designation, Occupation, Title?',
    de: 'Position, Funktion, Berufsbezeichnung, Stellenbezeichnung, Jobtitel, Rolle, Beruf',
    fr: 'Fonction, Poste, Intitulé du poste, Titre du poste, Profession, Titre?',
    es: 'Cargo, Puesto, Puesto de trabajo, Posición, Función, Profesión',
    it: 'Ruolo, Posizione, Qualifica, Mansione, Posizione lavorativa, Professione',
    pt: 'Cargo, Função, Posição, Profissão',
    nl: 'Functie, Functietitel, Rol, Beroep',
    sv: 'Titel, Befattning, Jobbtitel, Roll, Yrke',
    pl: 'Stanowisko, Funkcja, Rola, Zawód',
    ja: '役職, 役職名, 職位',
  },
  company_id: companyNames,
  addresses: allNames(Object.values(addressHeaders), { en: wholeAddress }),
  links: {
    en: 'LinkedIn, LinkedIn URL, LinkedIn Profile, LinkedIn Profile URL, Website, Website URL, Website Value, Web Page, Personal Web Page, Web Site, Homepage, Twitter, Twitter URL, Twitter Profile, Twitter/X, X (Twitter), X, X URL, X Profile, Facebook, Facebook URL, Facebook Profile, Instagram, Instagram URL, Xing, GitHub, YouTube, Blog, URL, URLs, Web, Profile URL',
    de: 'Webseite, Internetseite, Internetadresse, Webadresse',
    fr: 'Site web, Site internet, Page web, Site',
    es: 'Sitio web, Página web',
    it: 'Sito web, Sito internet, Pagina web, Sito',
    pt: 'Site, Sítio web, Página web',
    nl: 'Webpagina, Webadres',
    sv: 'Webbplats, Hemsida, Webbsida, Webbadress',
    pl: 'Strona internetowa, Strona www, WWW, Witryna',
    ja: 'ウェブサイト, Webサイト, ホームページ',
  },
  lead_status: {
    en: 'Status, Lifecycle Stage, Lead Stage',
    de: 'Leadstatus',
    fr: 'Statut du lead, Statut du prospect, Statut',
    es: 'Estado del lead, Estado del cliente potencial',
    it: 'Stato lead, Stato del lead',
    pt: 'Status do lead, Estado do lead',
    nl: 'Leadstatus',
    sv: 'Leadstatus',
    pl: 'Status leada',
    ja: 'リードステータス, リード状況, ステータス',
  },
  birthday: {
    en: 'Birth Date, Date of Birth, DOB, Birthdate, BDay, B-Day',
    de: 'Geburtstag, Geburtsdatum, Geb.-Datum',
    fr: 'Anniversaire, Date de naissance',
    es: 'Cumpleaños, Fecha de nacimiento',
    it: 'Compleanno, Data di nascita',
    pt: 'Aniversário, Data de nascimento, Data de aniversário',
    nl: 'Verjaardag, Geboortedatum',
    sv: 'Födelsedag, Födelsedatum',
    pl: 'Urodziny, Data urodzenia',
    ja: '誕生日, 生年月日',
  },
  tags: tagNames,
  lead_score: { en: 'Score, HubSpot Score', fr: 'Score du lead', ja: 'リードスコア, スコア' },
  notes: {
    en: 'Note, Comment, Comments, Description, Remarks, Memo, Background, Background Info',
    de: 'Notiz, Notizen, Bemerkung, Bemerkungen, Kommentar, Kommentare, Anmerkung, Anmerkungen, Beschreibung',
    fr: 'Commentaire, Commentaires, Remarque, Remarques',
    es: 'Nota, Notas, Comentario, Comentarios, Observaciones, Descripción',
    it: 'Nota, Commento, Commenti, Osservazioni, Descrizione',
    pt: 'Nota, Notas, Comentário, Comentários, Observação, Observações, Anotações, Descrição',
    nl: 'Notitie, Notities, Opmerking, Opmerkingen, Omschrijving, Beschrijving',
    sv: 'Anteckning, Anteckningar, Kommentar, Kommentarer, Noteringar, Beskrivning',
    pl: 'Notatka, Notatki, Uwagi, Komentarz, Opis',
    ja: 'メモ, 備考, ノート, コメント, 説明',
  },
  created_at: createdNames,
}

export const companyHeaders: Headers<typeof companyFields> = {
  name: {
    en: `${companyNames.en}, Legal Name, Name?`,
    de: `${companyNames.de}, Name?`,
    fr: `${companyNames.fr}, Nom?`,
    es: `${companyNames.es}, Nombre?`,
    it: `${companyNames.it}, Nome?`,
    pt: `${companyNames.pt}, Nome?`,
    nl: `${companyNames.nl}, Naam?`,
    sv: `${companyNames.sv}, Namn?`,
    pl: `${companyNames.pl}, Nazwa?`,
    ja: `${companyNames.ja}, 名称?, 名前?`,
  },
  website: {
    en: 'Website URL, Website Value, Web Page, Web Site, Homepage, Web Address, Company Domain Name, Domain, Domain Name, URL, Web',
    de: 'Webseite, Internetseite, Internetadresse, Webadresse',
    fr: 'Site web, Site internet, Page web, Adresse web, Site',
    es: 'Sitio web, Página web',
    it: 'Sito web, Sito internet, Pagina web, Sito',
    pt: 'Site, Sítio web, Página web, Página da web',
    nl: 'Webpagina, Webadres',
    sv: 'Webbplats, Hemsida, Webbsida, Webbadress',
    pl: 'Strona internetowa, Strona www, WWW, Witryna',
    ja: 'ウェブサイト, Webサイト, ホームページ',
  },
  industry: {
    en: 'Sector, Vertical, Line of Business',
    de: 'Branche, Industrie',
    fr: 'Secteur d’activité, Secteur, Industrie, Branche',
    es: 'Industria, Ramo',
    it: 'Settore, Industria',
    pt: 'Setor, Indústria, Ramo, Segmento',
    nl: 'Branche, Industrie, Bedrijfstak',
    sv: 'Bransch, Industri',
    pl: 'Branża, Sektor, Przemysł',
    ja: '業種, 業界',
  },
  location: {
    en: 'Address, Full/combined address of Address, Apartment/suite no of Address, House number of Address, Street/road name of Address, District/sublocality of Address, City/town/village/locality of Address, State/county of Address, Region of Address, Country of Address, ZIP/Postal code of Address, Street, Street Address, City, State/Region, State/Province, State, Province, Region, Zip, Zip Code, Zip/Postal Code, Postal Code, Postcode, Country/Region, Country',
    de: 'Adresse, Anschrift, Straße, PLZ, Postleitzahl, Ort, Stadt, Bundesland, Land, Standort',
    fr: 'Adresse, Rue, Code postal, Ville, Région, Pays',
    es: 'Dirección, Calle, Código postal, Ciudad, Localidad, Provincia, Estado, Región, País, Ubicación',
    it: 'Indirizzo, Via, CAP, Città, Località, Provincia, Regione, Stato, Paese, Nazione, Sede',
    pt: 'Endereço, Morada, Rua, CEP, Código postal, Cidade, Estado, Distrito, País, Localização',
    nl: 'Adres, Straat, Plaats, Stad, Provincie, Land, Locatie, Vestigingsplaats',
    sv: 'Adress, Gata, Gatuadress, Postnummer, Ort, Postort, Stad, Län, Land, Plats',
    pl: 'Adres, Ulica, Kod pocztowy, Miasto, Miejscowość, Województwo, Kraj, Lokalizacja',
    ja: '住所, 所在地, 郵便番号, 都道府県, 市区町村, 国',
  },
  emails,
  phones,
  tags: tagNames,
  created_at: createdNames,
}

/** A role of a contact: on the deal, where another column of a file of deals says the job. */
export const roleNames: Names = {
  en: 'Role, Roles',
  de: 'Rolle',
  fr: 'Rôle',
  es: 'Rol',
  it: 'Ruolo',
  pt: 'Papel',
  nl: 'Rol',
  sv: 'Roll',
  pl: 'Rola',
  ja: '役割',
}

/** When a deal is expected to close. */
const expectedCloseNames: Names = {
  en: 'Expected Close, Expected Closing, Estimated Close Date, Est. Close Date, Forecast Close Date, Target Close Date',
  de: 'Erwartetes Abschlussdatum, Voraussichtliches Abschlussdatum, Erwarteter Abschluss, Voraussichtlicher Abschluss',
  fr: 'Date de clôture prévue, Date de fermeture prévue, Clôture prévue',
  es: 'Fecha de cierre prevista, Fecha de cierre esperada, Fecha prevista de cierre, Cierre previsto',
  it: 'Data di chiusura prevista, Data chiusura prevista, Chiusura prevista',
  pt: 'Data de fechamento prevista, Data de fechamento esperada, Data prevista de fechamento',
  nl: 'Verwachte sluitingsdatum, Verwachte afsluitdatum',
  sv: 'Förväntat stängningsdatum, Förväntat avslutsdatum, Förväntat avslut',
  pl: 'Przewidywana data zamknięcia, Oczekiwana data zamknięcia, Planowana data zamknięcia',
  ja: 'クローズ予定日, 完了予定日, 受注予定日',
}

/** The same of an open deal; of a closed one, when it was closed. */
export const closeDateNames: Names = {
  en: 'Close Date, Closing Date',
  de: 'Abschlussdatum, Schlusstermin',
  fr: 'Date de clôture, Date de fermeture, Date de conclusion',
  es: 'Fecha de cierre',
  it: 'Data di chiusura, Data chiusura',
  pt: 'Data de fechamento, Data de fecho',
  nl: 'Sluitingsdatum, Afsluitdatum',
  sv: 'Stängningsdatum, Avslutsdatum',
  pl: 'Data zamknięcia',
  ja: 'クローズ日, 完了日',
}

/** When a deal was closed, by what the name of the column says of the outcome. */
export const closedTimes: Record<'won' | 'lost' | 'either', Names> = {
  won: {
    en: 'Won Time, Won Date, Date Won, Won On, Won At',
    de: 'Gewonnen am, Gewonnen-Zeitpunkt',
    fr: 'Gagné le, Date de gain',
    es: 'Ganado el, Fecha de ganado',
    it: 'Vinto il, Data vincita',
    pt: 'Ganho em, Data de ganho',
    nl: 'Gewonnen op',
    sv: 'Vunnen den, Vunnet datum',
    pl: 'Data wygranej',
    ja: '受注日, 成約日',
  },
  lost: {
    en: 'Lost Time, Lost Date, Date Lost, Lost On, Lost At',
    de: 'Verloren am, Verloren-Zeitpunkt',
    fr: 'Perdu le, Date de perte',
    es: 'Perdido el, Fecha de perdido',
    it: 'Perso il, Data perdita',
    pt: 'Perdido em, Data de perda',
    nl: 'Verloren op',
    sv: 'Förlorad den, Förlorat datum',
    pl: 'Data przegranej, Data utraty',
    ja: '失注日',
  },
  either: {
    en: 'Closed On, Closed Date, Closed Time, Date Closed, Actual Close Date, Actual Closing Date',
    de: 'Abgeschlossen am, Geschlossen am',
    fr: 'Clôturé le, Fermé le',
    es: 'Cerrado el',
    it: 'Chiuso il',
    pt: 'Fechado em',
    nl: 'Gesloten op',
    sv: 'Stängd den',
    pl: 'Zamknięto',
  },
}

export const dealHeaders: Headers<typeof dealFields> = {
  name: {
    en: 'Deal, Deal Title, Opportunity Name, Opportunity, Opportunity Title, Potential Name, Title?, Name?, Subject?, Project Name?, Project?',
    de: 'Dealname, Verkaufschance, Name der Verkaufschance, Geschäft, Geschäftsname, Auftrag, Titel?, Name?, Bezeichnung?, Projekt?',
    fr: 'Affaire, Nom de l’affaire, Opportunité, Nom de l’opportunité, Nom de la transaction, Transaction, Titre?, Nom?, Intitulé?',
    es: 'Negocio, Nombre del negocio, Oportunidad, Nombre de la oportunidad, Trato, Nombre del trato, Título?, Nombre?',
    it: 'Affare, Nome affare, Nome dell’affare, Opportunità, Nome opportunità, Trattativa, Nome trattativa, Titolo?, Nome?, Oggetto?',
    pt: 'Negócio, Nome do negócio, Oportunidade, Nome da oportunidade, Título?, Nome?',
    nl: 'Dealnaam, Verkoopkans, Naam verkoopkans, Kans, Titel?, Naam?',
    sv: 'Affär, Affärsnamn, Säljmöjlighet, Affärsmöjlighet, Titel?, Namn?',
    pl: 'Szansa sprzedaży, Nazwa szansy, Szansa, Transakcja, Nazwa transakcji, Tytuł?, Nazwa?',
    ja: '取引名, 案件名, 商談名, 取引, 案件, 商談, 名前?',
  },
  value: {
    en: 'Amount, Deal Value, Deal Amount, Potential Value, Deal Size, Estimated Value, Estimated Revenue, Price?, Total?, Expected Revenue?',
    de: 'Wert, Betrag, Auftragswert, Dealwert, Auftragsvolumen, Volumen?, Umsatz?',
    fr: 'Montant, Valeur, Valeur de l’affaire, Montant de la transaction',
    es: 'Valor, Importe, Monto, Valor del negocio, Cantidad?',
    it: 'Valore, Importo, Valore affare, Ammontare',
    pt: 'Valor, Montante, Valor do negócio',
    nl: 'Waarde, Bedrag, Dealwaarde',
    sv: 'Värde, Belopp, Affärsvärde, Summa',
    pl: 'Wartość, Kwota, Wartość transakcji, Wartość szansy',
    ja: '金額, 取引額, 取引金額, 受注金額',
  },
  currency: {
    en: 'Currency Code, Deal Currency, Currency ISO Code, Amount Currency, Value Currency',
    de: 'Währung, Währungscode',
    fr: 'Devise, Monnaie, Code devise',
    es: 'Moneda, Divisa',
    it: 'Valuta, Divisa',
    pt: 'Moeda',
    nl: 'Valuta, Munteenheid',
    sv: 'Valuta',
    pl: 'Waluta',
    ja: '通貨',
  },
  expected_close_date: allNames([closeDateNames], expectedCloseNames),
  pipeline_id: {
    en: 'Sales Pipeline, Pipeline Name',
    es: 'Embudo, Embudo de ventas',
    pt: 'Funil, Funil de vendas',
    pl: 'Lejek, Lejek sprzedaży',
    ja: 'パイプライン',
  },
  stage_id: {
    en: 'Stage Name, Sales Stage, Pipeline Stage, Phase',
    de: 'Phase, Dealphase, Verkaufsphase, Vertriebsphase, Stufe',
    fr: 'Étape, Phase de la transaction, Étape de la transaction, Étape de l’affaire, Étape de vente',
    es: 'Etapa, Fase, Etapa del negocio, Etapa de venta, Etapa del trato',
    it: 'Fase, Stadio, Fase affare, Fase della trattativa',
    pt: 'Etapa, Fase, Estágio, Etapa do negócio, Fase do negócio',
    nl: 'Fase, Dealfase, Verkoopfase, Stadium',
    sv: 'Fas, Steg, Affärsfas, Säljsteg',
    pl: 'Etap, Faza, Etap sprzedaży, Etap transakcji',
    ja: 'ステージ, 取引ステージ, フェーズ, 商談フェーズ',
  },
  status: {
    en: 'Outcome, Status Label',
    de: 'Ergebnis',
    fr: 'Statut, État',
    es: 'Estado, Estatus, Situación',
    it: 'Stato',
    pt: 'Estado, Situação',
    nl: 'Toestand, Resultaat',
    sv: 'Tillstånd, Resultat',
    pl: 'Stan',
    ja: 'ステータス, 状態',
  },
  lost_reason: {
    en: 'Closed Lost Reason, Loss Reason, Reason Lost, Reason for Loss',
    de: 'Verlustgrund, Grund für Verlust',
    fr: 'Raison de la perte, Motif de perte, Raison de perte',
    es: 'Motivo de pérdida, Razón de pérdida, Motivo de la pérdida',
    it: 'Motivo della perdita, Motivo perdita',
    pt: 'Motivo da perda, Motivo de perda, Razão da perda',
    nl: 'Verliesreden, Reden van verlies, Reden verlies',
    sv: 'Förlustorsak, Orsak till förlust',
    pl: 'Powód utraty, Powód przegranej, Przyczyna utraty',
    ja: '失注理由',
  },
  // A lead of Close is a company.
  company_id: { ...companyNames, en: `${companyNames.en}, Sales Account, Accounts?, Lead Name?` },
  contact_id: { ...personNames, en: `${personNames.en}, Contacts?` },
  contact_first_name: firstNames,
  contact_last_name: lastNames,
  contact_email: emails,
  contact_role: {
    en: 'Contact Role, Contact Roles, Opportunity Contact Role, Contact Role Name, Role of Contact, Contact’s Role, Role in Deal, Role on Opportunity, Role in Opportunity, Deal Role, Opportunity Role, Buying Role, Decision Role, Stakeholder Role, Primary Contact Role',
    de: 'Kontaktrolle, Rolle des Kontakts, Rolle des Ansprechpartners, Rolle im Geschäft, Rolle im Deal, Rolle in der Opportunity, Opportunity-Kontaktrolle, Buying-Rolle, Kaufrolle',
    fr: 'Rôle du contact, Rôle de contact, Rôle dans l’affaire, Rôle dans l’opportunité, Rôle d’achat',
    es: 'Rol del contacto, Rol de contacto, Función del contacto, Rol en el negocio, Rol en la oportunidad, Rol de compra',
    it: 'Ruolo del contatto, Ruolo contatto, Ruolo del referente, Ruolo referente, Ruolo nell’opportunità, Ruolo nell’affare, Ruolo nella trattativa',
    pt: 'Papel do contato, Papel do contacto, Função do contato, Função do contacto, Papel no negócio, Papel na oportunidade',
    nl: 'Contactrol, Rol van contactpersoon, Rol contactpersoon, Rol van contact, Rol in deal, Rol in verkoopkans',
    sv: 'Kontaktroll, Kontaktens roll, Kontaktpersonens roll, Roll i affären, Roll i säljmöjligheten',
    pl: 'Rola kontaktu, Rola osoby kontaktowej, Rola w szansie sprzedaży, Rola w transakcji',
    ja: '取引先責任者の役割, 担当者の役割, 商談での役割, 案件での役割, 取引での役割',
  },
  tags: tagNames,
  created_at: createdNames,
  // Of a won and a lost time a row has one.
  closed_at: allNames([closedTimes.either, closedTimes.won, closedTimes.lost], {}),
}
