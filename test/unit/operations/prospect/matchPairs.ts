/**
 * Made pairs of given details and found people, written before the comparison. `SAME` are one person each, `DIFFERENT` are two.
 */
import type { MatchCheck } from '../../../../nodes/BusinessProspectData/identify/matchCheck';

export type NamePair = readonly [given: string, found: string, check: MatchCheck];

const NICKNAMES: readonly NamePair[] = [
	['Bob Smith', 'Robert Smith', 'unknown'],
	['Liz Taylor', 'Elizabeth Taylor', 'unknown'],
	['Sasha Orlov', 'Alexander Orlov', 'unknown'],
	['Bill Turner', 'William Turner', 'unknown'],
	['Dick Harris', 'Richard Harris', 'unknown'],
	['Peggy Miller', 'Margaret Miller', 'unknown'],
	['Jack Brown', 'John Brown', 'unknown'],
	['Ted Wilson', 'Edward Wilson', 'unknown'],
	['Tony Russo', 'Antonio Russo', 'unknown'],
	['Pepe Romero', 'José Romero', 'unknown'],
	['Paco Rabal', 'Francisco Rabal', 'unknown'],
	['Lola Flores', 'Dolores Flores', 'unknown'],
	['Nacho Vega', 'Ignacio Vega', 'unknown'],
	['Charo López', 'Rosario López', 'unknown'],
	['Zé Ferreira', 'José Ferreira', 'unknown'],
	['Beppe Conti', 'Giuseppe Conti', 'unknown'],
	['Gigi Rossi', 'Luigi Rossi', 'unknown'],
	['Hannes Wolf', 'Johannes Wolf', 'unknown'],
	['Uli Krüger', 'Ulrich Krüger', 'unknown'],
	['Sepp Maier', 'Josef Maier', 'unknown'],
	['Resi Huber', 'Theresia Huber', 'unknown'],
	['Kees de Vries', 'Cornelis de Vries', 'unknown'],
	['Joop Bakker', 'Johannes Bakker', 'unknown'],
	['Lasse Berg', 'Lars Berg', 'unknown'],
	['Kasia Nowak', 'Katarzyna Nowak', 'unknown'],
	['Gosia Lis', 'Małgorzata Lis', 'unknown'],
	['Misha Petrov', 'Mikhail Petrov', 'unknown'],
	['Dima Volkov', 'Dmitry Volkov', 'unknown'],
	['Honza Novák', 'Jan Novák', 'unknown'],
	['Nikos Pappas', 'Nikolaos Pappas', 'unknown'],
	['Chuck Norton', 'Charles Norton', 'unknown'],
	['Hank Moore', 'Henry Moore', 'unknown'],
	['Molly Byrne', 'Mary Byrne', 'unknown'],
	['Kate Hill', 'Catherine Hill', 'unknown'],
	['Becky Ward', 'Rebecca Ward', 'unknown'],
	['Jim Cook', 'James T. Cook', 'unknown'],
	['Cook, Jim', 'James Cook', 'unknown'],
	['Andy', 'Andrew Bell', 'unknown'],
	['Kate O’Hara', 'Katherine O’Hara', 'unknown'],
	['Jack Ma', 'Ma Yun', 'unknown'],
];

const ACCENTS: readonly NamePair[] = [
	['Jürgen Müller', 'Juergen Mueller', 'agrees'],
	['Jürgen Müller', 'Jurgen Muller', 'agrees'],
	['Juergen Mueller', 'Jürgen Müller', 'agrees'],
	['Juergen Mueller', 'Ju\u0308rgen Mu\u0308ller', 'agrees'],
	['Jurgen Muller', 'Jürgen Müller', 'agrees'],
	['Peter Mueller', 'Peter Muller', 'unknown'],
	['Łukasz Kowalski', 'Lukasz Kowalski', 'agrees'],
	['Søren Lund', 'Soren Lund', 'agrees'],
	['Soeren Lund', 'Søren Lund', 'agrees'],
	['Hans Weiß', 'Hans Weiss', 'agrees'],
	['GROẞMANN EVA', 'Eva Großmann', 'agrees'],
	['José García', 'Jose Garcia', 'agrees'],
	['Jose\u0301 Garci\u0301a', 'José García', 'agrees'],
	['Francois Lefevre', 'François Lefèvre', 'agrees'],
	['Åsa Öberg', 'Asa Oberg', 'agrees'],
	['Aasa Oeberg', 'Åsa Öberg', 'agrees'],
	['Đorđe Petrović', 'Dorde Petrovic', 'agrees'],
	['Djordje Petrovic', 'Đorđe Petrović', 'unknown'],
	['Işıl Yılmaz', 'Isil Yilmaz', 'agrees'],
	['IPEK CELIK', 'İpek Çelik', 'agrees'],
	['Nguyễn Văn An', 'Nguyen Van An', 'agrees'],
	['Thor Jonsson', 'Þór Jónsson', 'agrees'],
	['Ægir Sigurðsson', 'Aegir Sigurdsson', 'agrees'],
	['Алексей Соловьёв', 'Алексей Соловьев', 'agrees'],
	['Ольга Иванова', 'Olga Ivanova', 'unknown'],
	['Yuri Kuznetsov', 'Iouri Kouznetsov', 'unknown'],
	['Aleksandr Ivanov', 'Alexander Iwanow', 'unknown'],
	['Γιώργος Παππάς', 'Giorgos Pappas', 'unknown'],
	['山田 太郎', 'Taro Yamada', 'unknown'],
	['山田 太郎', '山田太郎', 'agrees'],
	['張 偉', '张 伟', 'unknown'],
	['محمد علي', 'Mohamed Ali', 'unknown'],
];

const ORDERS: readonly NamePair[] = [
	['Castro, Carla', 'Carla Castro', 'agrees'],
	['CASTRO Carla', 'Carla Castro', 'agrees'],
	['Carla Castro', 'Castro Carla', 'agrees'],
	['castro,carla', 'Carla Castro', 'agrees'],
	['Nagy László', 'László Nagy', 'agrees'],
	['Wang Xiaoming', 'Xiaoming Wang', 'agrees'],
	['Kim Min-jun', 'Min-jun Kim', 'agrees'],
	['Kim Minjun', 'Min-jun Kim', 'unknown'],
	['Tanaka, Yuki', 'Yuki Tanaka', 'agrees'],
	['van Dijk, Jan', 'Jan van Dijk', 'agrees'],
	['Dijk, Jan van', 'Jan van Dijk', 'agrees'],
	['García Márquez, Ana', 'Ana García Márquez', 'agrees'],
	['Castro, C.', 'Carla Castro', 'agrees'],
	['Castro Carla M.', 'Carla Maria Castro', 'agrees'],
	['Smith; John', 'John Smith', 'agrees'],
	['O’Brien, Pat', 'Pat OBrien', 'agrees'],
	['Lopez / Maria', 'María López', 'agrees'],
	['Castro, Karla', 'Carla Castro', 'unknown'],
	['Dr. Castro, Carla', 'Carla Castro', 'agrees'],
	['Castro, Carla (she/her)', 'Carla Castro', 'unknown'],
];

const INITIALS: readonly NamePair[] = [
	['C. Castro', 'Carla Castro', 'agrees'],
	['C Castro', 'Carla Castro', 'agrees'],
	['Carla C.', 'Carla Castro', 'agrees'],
	['C.Castro', 'Carla Castro', 'agrees'],
	['J. R. R. Stone', 'John Ronald Reuel Stone', 'agrees'],
	['J.R.R. Stone', 'John Ronald Reuel Stone', 'agrees'],
	['JRR Stone', 'John Ronald Reuel Stone', 'unknown'],
	['JR Stone', 'John Ronald Stone', 'unknown'],
	['John R. Stone', 'John Ronald Stone', 'agrees'],
	['John R. Stone', 'John Stone', 'unknown'],
	['John Stone', 'John R. Stone', 'agrees'],
	['Carla Castro', 'C. Castro', 'unknown'],
	['Carla Castro', 'Carla C.', 'unknown'],
	['C. Castro', 'C. Castro', 'agrees'],
	['C. C.', 'Carla Castro', 'unknown'],
	['C. Castro', 'Carla C.', 'unknown'],
	['M. Meier', 'Thomas Meier', 'unknown'],
	['É. Zola', 'Emile Zola', 'agrees'],
	['Ö. Kaya', 'Özge Kaya', 'agrees'],
	['Ch. Meier', 'Christian Meier', 'unknown'],
];

const DOUBLE_AND_MIDDLE: readonly NamePair[] = [
	['Jean-Pierre Martin', 'Jean Pierre Martin', 'agrees'],
	['Jean Martin', 'Jean-Pierre Martin', 'agrees'],
	['Jean-Pierre Martin', 'Jean Martin', 'unknown'],
	['Jeanpierre Martin', 'Jean-Pierre Martin', 'agrees'],
	['JP Martin', 'Jean-Pierre Martin', 'unknown'],
	['Ana García', 'Ana García Márquez', 'agrees'],
	['Ana García Márquez', 'Ana García', 'unknown'],
	['Anna Schmidt-Meyer', 'Anna Schmidt Meyer', 'agrees'],
	['Anna Schmidt', 'Anna Schmidt-Meyer', 'agrees'],
	['Mary Ann Lee', 'Maryann Lee', 'agrees'],
	['Mary Ann Lee', 'Mary A. Lee', 'unknown'],
	['Mac Donald Ian', 'Ian MacDonald', 'unknown'],
	['Pat O’Brien', "Pat O'Brien", 'agrees'],
	['Pat O Brien', "Pat O'Brien", 'agrees'],
	['Carla Maria Castro', 'Carla Castro', 'unknown'],
	['Carla Castro', 'Carla Maria Castro', 'agrees'],
	['Luis da Silva', 'Luis Silva', 'unknown'],
	['Luis Silva', 'Luis da Silva', 'agrees'],
	['Prof. Dr. Eva Kern', 'Eva Kern', 'agrees'],
	['Sam Hill Jr.', 'Sam Hill', 'agrees'],
];

const CHANGED_SURNAMES: readonly NamePair[] = [
	['Anna Schmidt', 'Anna Becker', 'unknown'],
	['Anna Schmidt-Meyer', 'Anna Meyer', 'unknown'],
	['Anna Meyer', 'Anna Schmidt-Becker', 'unknown'],
	['Maria Rossi', 'Maria Bianchi', 'unknown'],
	['Jane Doe', 'Jane Miller', 'unknown'],
	['Jane Doe', 'Jane Doe Miller', 'agrees'],
	['Jane D. Miller', 'Jane Doe', 'unknown'],
	['Liz Smith', 'Elizabeth Jones', 'unknown'],
	['Kate Hill', 'Katherine Stone', 'unknown'],
	['Doe, Jane', 'Jane Miller', 'unknown'],
	['Zoë Kern', 'Zoe Wolf', 'unknown'],
	['J. Doe', 'Jane Miller', 'unknown'],
	['Jane Doe', 'J. Miller', 'unknown'],
	['Olga Ivanova', 'Olga Petrova', 'unknown'],
	['Jane', 'Jane Miller', 'unknown'],
];

/** All are one person, so none may be `differs`. */
export const SAME = Object.entries({
	NICKNAMES,
	ACCENTS,
	ORDERS,
	INITIALS,
	DOUBLE_AND_MIDDLE,
	CHANGED_SURNAMES,
});

/** One person each. The names have nothing in common, so no rule without a list of nicknames can tell. */
export const NOT_RECOGNIZED: readonly NamePair[] = [
	['Peggy Miller', 'Margaret Johnson', 'differs'],
	['Jim Doe', 'James Miller', 'differs'],
	['Mohamed Aly', 'Muhammad Ali', 'differs'],
];

export interface EmployerCase {
	readonly name?: string;
	readonly company?: string;
	readonly email?: string;
	/** The name found is always Carla Castro. */
	readonly worksAt: readonly [name: string, website: string];
	readonly workedAt?: ReadonlyArray<readonly [name: string, website: string]>;
	readonly check: MatchCheck;
}

const carla = (company: string, found: string, check: MatchCheck): EmployerCase => ({
	name: 'Carla Castro',
	company,
	worksAt: [found, ''],
	check,
});

const FORMER: EmployerCase['workedAt'] = [
	['Initech Group', 'https://initech.example'],
	['Globex GmbH', 'https://www.globex.example/de'],
];

const formerly = (company: string, check: MatchCheck): EmployerCase => ({
	...carla(company, 'Acme', check),
	workedAt: FORMER,
});

const byEmail = (email: string, website: string, check: MatchCheck): EmployerCase => ({
	email,
	worksAt: ['Acme', website],
	check,
});

export const EMPLOYERS: readonly EmployerCase[] = [
	carla('Acme', 'Acme', 'agrees'),
	carla('ACME, Inc.', 'Acme', 'agrees'),
	carla('Acme', 'Acme GmbH & Co. KG', 'agrees'),
	carla('Acme Limited', 'Acme Ltd', 'agrees'),
	carla('Acmé S.A.', 'Acme', 'agrees'),
	carla('Acme Sp. z o.o.', 'Acme', 'agrees'),
	carla('Smith & Sons LLC', 'Smith and Sons', 'agrees'),
	carla('Muller AG', 'Müller AG', 'agrees'),
	carla('Acme', 'Globex', 'unknown'),
	carla('Acme', 'Acme Robotics', 'unknown'),
	carla('Acme', '', 'unknown'),
	carla('!!!', '', 'unknown'),
	carla('Smith & Co. Ltd.', 'Smith', 'agrees'),
	formerly('Globex', 'agrees'),
	formerly('GLOBEX AG', 'agrees'),
	formerly('Initech Group', 'agrees'),
	formerly('Initech', 'unknown'),
	formerly('Hooli', 'unknown'),
	byEmail('c.castro@acme.example', 'https://www.acme.example/about', 'agrees'),
	byEmail('c.castro@mail.acme.example', 'acme.example', 'agrees'),
	byEmail('c.castro@ACME.example', 'https://de.acme.example', 'agrees'),
	byEmail('c.castro@notacme.example', 'acme.example', 'unknown'),
	byEmail('c.castro@webmail.example', 'acme.example', 'unknown'),
	byEmail('c.castro@acme.example', '', 'unknown'),
	{ ...byEmail('c@globex.example', 'acme.example', 'agrees'), workedAt: FORMER },
	{
		...carla('Acme Holding', 'Globex', 'agrees'),
		email: 'c@a.example',
		worksAt: ['B', 'a.example'],
	},
	{ name: 'Carla', email: 'carla@webmail.example', worksAt: ['Acme', ''], check: 'unknown' },
	{
		...byEmail('carla@acme.example', 'acme.example', 'agrees'),
		name: 'Carla',
	},
];

/** Two people each, so none may be `agrees`. */
export const DIFFERENT: readonly NamePair[] = [
	['Carla Castro', 'Robert Smith', 'differs'],
	['John Miller', 'Anna Becker', 'differs'],
	['Wei Zhang', 'Priya Patel', 'differs'],
	['Jürgen Müller', 'Sofia Rossi', 'differs'],
	['Castro, Carla', 'Smith, Robert', 'differs'],
	['Dr. Eva Kern', 'Dr. Paul Vogt', 'differs'],
	['Sam Hill Jr.', 'Tom Fox Jr.', 'differs'],
	['Sam Hill Jr.', 'Sam Hill Sr.', 'unknown'],
	['Sam Hill II', 'Sam Hill III', 'unknown'],
	['Olga Ivanova', 'Peter Schmidt', 'differs'],
	['Иван Петров', 'Ольга Кузнецова', 'differs'],
	['Ελένη Παππά', 'Νίκος Σταύρου', 'differs'],
	['R. Stone', 'Robert Smith', 'unknown'],
	['B. Stone', 'Carla Castro', 'differs'],
	['Jean-Pierre Martin', 'Sophie Dubois', 'differs'],
	['Luis Silva', 'Marta Gómez Ruiz', 'differs'],
	['Mary Ann Lee', 'George Washington', 'differs'],
	['Kim Min-jun', 'Tanaka Yuki', 'differs'],
	['Nguyen Van An', 'Tran Thi Bich', 'differs'],
	['Aisha Khan', 'Daniel Brown', 'differs'],
	['Pat O’Brien', 'Lena Fischer', 'differs'],
	['Søren Lund', 'Kari Nordmann', 'differs'],
	['Łukasz Kowalski', 'Zofia Wrona', 'differs'],
	['Jane Doe', 'Richard Roe', 'differs'],
	['Hugo Boss', 'Karl Lagerfeld', 'differs'],
	['Ines Costa', 'Björn Dahl', 'differs'],
	['John Smith', 'John Jones', 'unknown'],
	['John Smith', 'Anna Smith', 'unknown'],
	['Anna Bauer', 'Anne Bayer', 'unknown'],
	['Peter de Vries', 'Anna de Jong', 'unknown'],
	['Carla', 'Robert Smith', 'unknown'],
	['Carla Castro', 'Robert', 'unknown'],
];
