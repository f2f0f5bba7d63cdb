import { CLOSED, UNKNOWN, type ReplyProbes } from './probe-kinds.js';

export const IN_OTHER_LANGUAGES: readonly ReplyProbes[] = [
  {
    kind: 'an unknown user, in each language',
    are: UNKNOWN,
    texts: [
      '550 Uporabnik ne obstaja', // Slovenian
      '550 Poštni predal ne obstaja',
      '550 Korisnik ne postoji', // Croatian, Serbian
      '550 Корисник не постоји',
      '550 Adresa primatelja nije pronađena',
      '550 Používateľ neexistuje', // Slovak
      '550 Schránka nebola nájdená',
      '550 Потребителят не съществува', // Bulgarian
      '550 Няма такъв потребител',
      '550 Utilizatorul nu există', // Romanian
      '550 Căsuța poștală nu a fost găsită',
      '550 A felhasználó nem létezik', // Hungarian
      '550 Nincs ilyen felhasználó',
      '550 A postafiók nem található',
      '550 Ο χρήστης δεν υπάρχει', // Greek
      '550 Ο παραλήπτης δεν βρέθηκε',
      '550 Brugeren findes ikke', // Danish
      '550 Brugeren eksisterer ikke',
      '550 Brukeren finnes ikke', // Norwegian
      '550 Ingen slik bruker',
      '550 Käyttäjää ei ole olemassa', // Finnish
      '550 Käyttäjää ei löydy',
      '550 Notandi er ekki til', // Icelandic
      '550 Notandinn fannst ekki',
      '550 Kasutajat ei leitud', // Estonian
      '550 Kasutajat ei ole olemas',
      '550 Lietotājs neeksistē', // Latvian
      '550 Lietotājs nav atrasts',
      '550 Vartotojas neegzistuoja', // Lithuanian
      '550 Vartotojas nerastas',
      '550 Pengguna tidak ada', // Indonesian
      '550 Pengguna tidak ditemukan',
      '550 Alamat email tidak terdaftar',
      '550 Người dùng không tồn tại', // Vietnamese
      '550 Tài khoản không tồn tại',
      '550 ไม่มีผู้ใช้นี้', // Thai
      '550 ไม่พบผู้ใช้',
      '550 המשתמש לא קיים', // Hebrew
      '550 המשתמש אינו קיים',
      '550 لا يوجد مستخدم بهذا الاسم', // Arabic
      '550 المستخدم غير موجود',
      '550 کاربر وجود ندارد', // Persian
      '550 کاربر یافت نشد',
      '550 존재하지 않는 사용자입니다', // Korean
      '550 사용자를 찾을 수 없습니다',
      '550 No hay nadie con ese nombre aquí', // Spanish
      '550 El buzón no existe',
      '550 Kullanıcı bulunamadı', // Turkish
      '550 Böyle bir kullanıcı yok',
      '550 Користувача не знайдено', // Ukrainian
      '550 L’usuari no existeix', // Catalan
      '550 Pengguna tidak wujud', // Malay
      '550 Корисникот не постои', // Macedonian
    ],
  },
  {
    kind: 'a closed mailbox, in each language',
    are: CLOSED,
    texts: [
      '550 Račun je onemogočen',
      '550 Korisnički račun je onemogućen',
      '550 Nalog je deaktiviran',
      '550 Konto používateľa bolo zrušené',
      '550 Акаунтът е деактивиран',
      '550 Contul a fost dezactivat',
      '550 A fiókot letiltották',
      '550 Ο λογαριασμός έχει απενεργοποιηθεί',
      '550 Kontoen er lukket',
      '550 Kontoen er deaktivert',
      '550 Käyttäjätili on suljettu',
      '550 Konto on suletud',
      '550 Konts ir slēgts',
      '550 Paskyra išjungta',
      '550 Akun telah dinonaktifkan',
      '550 Tài khoản đã bị khóa',
      '550 บัญชีถูกระงับ',
      '550 החשבון מושבת',
      '550 الحساب معطل',
      '550 حساب کاربری غیرفعال است',
      '550 사용이 중지된 계정입니다',
      '550 비활성화된 계정입니다',
      '550 Hesap devre dışı bırakıldı',
      '550 Hesap kapatıldı',
    ],
  },
];
