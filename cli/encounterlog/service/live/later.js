/* What the page fetches once it is looked at knows more of dice: words that this browser never gave. */
fair.besides = (roll) => dice.foreign(roll);
